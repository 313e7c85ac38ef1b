// Calls inside expressions become one expression whose value is the first error; copies between devices, values set.
#include <stdio.h>
#define N 70

struct pair {
	int a;
	double b;
};

__global__ void twice(pair *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		p[i].a += 1;
		p[i].b = 2 * p[i].a;
	}
}

int main(void)
{
	static pair host[N];
	pair *p, *q;
	cudaError_t error = cudaSuccess;

	if ((error = cudaMalloc((void **)&p, N * sizeof(pair))) != cudaSuccess || cudaMalloc((void **)&q, N * sizeof(pair)))
		return 1;
	if (cudaMemset(p, 0, N * sizeof(pair)))
		return 1;
	twice<<<3, 32>>>(p, N);
	cudaMemcpy(q, p, 50 * sizeof(pair), cudaMemcpyDeviceToDevice);
	twice<<<2, 25>>>(q, 50);
	error = cudaMemcpy(host, q, 50 * sizeof(pair), cudaMemcpyDeviceToHost);
	for (int i = 0; i < N; i++)
		printf("%d %g\n", host[i].a, host[i].b);
	cudaFree(p), cudaFree(q);
	return error != cudaSuccess;
}
