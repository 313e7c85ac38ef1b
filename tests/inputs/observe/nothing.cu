// A program that launches nothing has nothing to predict: it says why.
// exit: 1
// says: the program launched no kernel; it ended with status 2; it said: usage: nothing SIZE
#include <cstdio>
#include <cstdlib>
__global__ void fill(int *x, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		x[i] = 1;
}
int main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: nothing SIZE\n");
		return 2;
	}
	int *x, n = atoi(argv[1]);
	cudaMalloc(&x, n * sizeof(int));
	fill<<<(n + 255) / 256, 256>>>(x, n);
	return cudaDeviceSynchronize();
}
