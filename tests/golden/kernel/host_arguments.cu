// Numbers of the command line: what main does with its arguments, and without them.
#include <cstdio>
#include <cstdlib>
#include <string>
__global__ void k(float *a, int n, unsigned long m) { a[threadIdx.x] = n + m; }
int main(int argc, char *argv[]) {
	float *a = nullptr;
	if (argc > 6) {
		fprintf(stderr, "usage: %s [n] [block] [m] [scale]\n", argv[0]);
		return 1;
	}
	int n = argc > 1 ? std::atoi(argv[1]) : 1 << 16;
	long block = 256;
	unsigned long m = 7;
	if (argc > 2)
		block = strtol(argv[2], nullptr, 0);
	if (argc >= 4)
		m = std::stoul(argv[3]);
	double scale = argc > 4 ? atof(argv[4]) : 1.5;
	int count = static_cast<int>(scale * n);
	int more = 3;
	if (argc > 5)
		sscanf(argv[5], "%d", &more);
	k<<<(n + block - 1) / block, block>>>(a, n, m);
	k<<<count / 2, 2>>>(a, count, more);
}
