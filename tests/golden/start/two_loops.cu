/* args: --start program */
// Two loops, one after the other: in each the array stays in the L2, though both arrays together would not fit.
#include <cuda_runtime.h>

__global__ void first(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] += 1;
}

__global__ void second(float *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		q[i] += 2;
}

int main()
{
	int n = 7 << 20;
	float *p, *q;
	cudaMalloc(&p, n * sizeof(float));
	cudaMalloc(&q, n * sizeof(float));
	for (int step = 0; step < 50; step++)
		first<<<n / 256, 256>>>(p, n);
	for (int step = 0; step < 50; step++)
		second<<<n / 256, 256>>>(q, n);
	cudaDeviceSynchronize();
}
