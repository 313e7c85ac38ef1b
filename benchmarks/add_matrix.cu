/*
 * Sum of two matrices, stored as plain arrays: c = a + b, one thread per element.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 2048
#endif
#ifndef M
#define M 1024
#endif
#define BLOCK 256

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

__global__ void add_matrix(const float *a, const float *b, float *c, int n, int m)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n * m)
		c[i] = a[i] + b[i];
}

int main(void)
{
	size_t count = (size_t)N * M, bytes = count * sizeof(float);
	float *a_host = (float *)malloc(bytes);
	float *b_host = (float *)malloc(bytes);
	float *c_host = (float *)malloc(bytes);
	float *a, *b, *c;

	for (size_t i = 0; i < count; i++) {
		a_host[i] = (float)(i % 1000);
		b_host[i] = (float)(i % 777) * 0.5f;
	}
	CHECK(cudaMalloc(&a, bytes));
	CHECK(cudaMalloc(&b, bytes));
	CHECK(cudaMalloc(&c, bytes));
	CHECK(cudaMemcpy(a, a_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(b, b_host, bytes, cudaMemcpyHostToDevice));

	dim3 block(BLOCK);
	dim3 grid((N * M + BLOCK - 1) / BLOCK);
	add_matrix<<<grid, block>>>(a, b, c, N, M);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(c_host, c, bytes, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (size_t i = 0; i < count; i++)
		wrong += c_host[i] != a_host[i] + b_host[i];
	printf("add_matrix: %d x %d, %d elements wrong\n", N, M, wrong);

	CHECK(cudaFree(a));
	CHECK(cudaFree(b));
	CHECK(cudaFree(c));
	free(a_host);
	free(b_host);
	free(c_host);
	return wrong != 0;
}
