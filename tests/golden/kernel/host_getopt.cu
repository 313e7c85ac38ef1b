// getopt and getopt_long.
#include <getopt.h>
#include <stdlib.h>
__global__ void k(float *a, int n, int left) { a[threadIdx.x] = n; }
int main(int argc, char **argv) {
	static const struct option table[] = {
		{"number", required_argument, NULL, 'n'}, {"repeat", required_argument, 0, 'r'}, {"half", no_argument, 0, 2}, {}};
	int n = 1 << 20, threads = 256, repeat = 5, half = 1, c;
	float *a;
	while ((c = getopt_long(argc, argv, "n:t:r:q", table, NULL)) != -1) {
		switch (c) {
		case 'n':
			n = atoi(optarg);
			break;
		case 't':
			threads = strtol(optarg, NULL, 10);
			break;
		case 'r':
			repeat = atoi(optarg);
			break;
		case 'q':
			break;
		case 2:
			half = 2;
			break;
		default:
			return 1;
		}
	}
	cudaMalloc((void **)&a, n * sizeof(float));
	for (int i = 0; i < repeat; i++)
		k<<<(n + threads - 1) / threads, threads>>>(a, n / half, argc - optind);
}
