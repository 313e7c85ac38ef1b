/* args: --start program */
/* Of what the host copies to the device the last four megabytes stay in the L2, and what it sets. */
#include <stdlib.h>

#ifndef COUNT
#define COUNT (1 << 18)
#endif

__global__ void add(const float *a, const float *b, float *c)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	c[i] = a[i] + b[i];
}

int main()
{
	const int n = COUNT;
	float *a, *b, *c, *host = (float *)calloc(n, sizeof(float));
	cudaMalloc(&a, n * sizeof(float));
	cudaMalloc(&b, n * sizeof(float));
	cudaMalloc(&c, n * sizeof(float));
	cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
	cudaMemset(b, 0, n * sizeof(float));
	add<<<n / 256, 256>>>(a, b, c);
	cudaFree(a);
	cudaFree(b);
	cudaFree(c);
	free(host);
}
