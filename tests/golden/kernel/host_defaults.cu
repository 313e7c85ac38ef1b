// Values that the command line may change are assumed to be their defaults.
#include <cstdlib>
__global__ void k(float *a, int n, int m) { a[threadIdx.x] = n + m; }
int main(int argc, char **argv) {
	float *a = 0;
	int n = 1 << 20, threads = 256;
	if (argc > 1)
		n = atoi(argv[1]);
	int m = argc > 2 ? atoi(argv[2]) : 64;
	int unknown = atoi(argv[3]);
	k<<<n / threads, threads>>>(a, n, m);
	k<<<unknown, threads>>>(a, unknown, 1);
}
