/* args: --start program */
// A memset in the loop drives the array out before each launch; one behind the loop does nothing to the launches before it.
#include <cuda_runtime.h>

__global__ void step(float *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] += 1;
}

__global__ void finish(float *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		q[i] += 2;
}

int main()
{
	int n = 1 << 20, room = 256 << 20;
	float *p, *q;
	char *flush;
	cudaMalloc(&p, n * sizeof(float));
	cudaMalloc(&q, n * sizeof(float));
	cudaMalloc(&flush, room);
	cudaMemset(q, 0, n * sizeof(float));
	finish<<<n / 256, 256>>>(q, n);
	for (int k = 0; k < 20; k++) {
		cudaMemset(flush, k, room);
		step<<<n / 256, 256>>>(p, n);
	}
	cudaDeviceSynchronize();
}
