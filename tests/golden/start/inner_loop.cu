/* args: --start program */
// A loop in a loop: a launch of the inner one finds what the one before it left, a launch of the outer one comes after both.
#include <cuda_runtime.h>

__global__ void relax(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] += 1;
}

__global__ void residual(float *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		q[i] += 2;
}

static void sweep(float *p, int n)
{
	for (int k = 0; k < 10; k++)
		relax<<<n / 256, 256>>>(p, n);
}

int main()
{
	int n = 7 << 20;
	float *p, *q;
	cudaMalloc(&p, n * sizeof(float));
	cudaMalloc(&q, n * sizeof(float));
	for (int step = 0; step < 5; step++) {
		sweep(p, n);
		residual<<<n / 256, 256>>>(q, n);
	}
	cudaDeviceSynchronize();
}
