// cudaMemcpyToSymbol(): a table of records of the device.
#include <cstdlib>
#include <cuda_runtime.h>
struct cell { float a, b, c; };
__device__ cell table[1 << 20];
__global__ void sum(float *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		to[i] = table[i].a + table[i].b;
}
__global__ void step(cell *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].a += p[i].b;
}
int main()
{
	const int n = 1 << 20;
	const size_t bytes = n * sizeof(cell);
	cell *h = (cell *)malloc(bytes);
	float *to;
	cudaMalloc(&to, n * sizeof(float));
	cudaMemcpyToSymbol(table, h, bytes);
	sum<<<n / 256, 256>>>(to, n);
}
