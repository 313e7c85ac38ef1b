// A program that does nothing without arguments is followed with nothing known about them.
#include <cstdlib>
__global__ void k(float *a, int n) { a[blockIdx.x * blockDim.x + threadIdx.x] = n; }
int main(int argc, char **argv) {
	if (argc < 2)
		return 1;
	int n = atoi(argv[1]), threads = 128;
	float *a;
	cudaMalloc(&a, n * 4);
	k<<<(n + threads - 1) / threads, threads>>>(a, n);
}
