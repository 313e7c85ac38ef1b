// A small array of records whose lines a kernel over 160 MB drives out of the L2 before they are used again.
#include <cstdlib>
#include <cuda_runtime.h>

struct cell {
	float height, u, v, bottom;
};

__global__ void slide(cell *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	c[i].u += 0.5f * c[i].height;
}

__global__ void sweep(float *large, int count)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < count)
		large[i] += 1;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	const int count = 40 << 20;
	cell *c;
	float *large;
	cudaMalloc(&c, n * sizeof(cell));
	cudaMalloc(&large, count * sizeof(float));
	cudaMemset(c, 0, n * sizeof(cell));
	cudaMemset(large, 0, count * sizeof(float));
	for (int step = 0; step < 10; step++) {
		slide<<<(n + 255) / 256, 256>>>(c, n);
		sweep<<<(count + 255) / 256, 256>>>(large, count);
	}
	cudaDeviceSynchronize();
	cudaFree(c);
	cudaFree(large);
}
