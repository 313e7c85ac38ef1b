/*
 * Element by element D = A * B + C on separate arrays: four streams, one thread per element,
 * once as the compiler likes to contract it and once with the explicit fused operation.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 2048
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

__global__ void multiply_add(const float *A, const float *B, const float *C, float *D, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n * n)
		D[i] = A[i] * B[i] + C[i];
}

__global__ void multiply_add_fused(const float *A, const float *B, const float *C, float *D, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n * n)
		D[i] = __fmaf_rn(A[i], B[i], C[i]);
}

/* Copies the result back and compares; returns the number of wrong elements. */
static int check(const float *A_host, const float *B_host, const float *C_host, float *D_host, const float *D)
{
	size_t count = (size_t)N * N;
	int wrong = 0;

	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(D_host, D, count * sizeof(float), cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < count; i++) {
		double want = (double)A_host[i] * B_host[i] + C_host[i];

		wrong += !(fabs(D_host[i] - want) <= 1e-6 * fabs(want));
	}
	return wrong;
}

int main(void)
{
	size_t count = (size_t)N * N, bytes = count * sizeof(float);
	float *A_host = (float *)malloc(bytes);
	float *B_host = (float *)malloc(bytes);
	float *C_host = (float *)malloc(bytes);
	float *D_host = (float *)malloc(bytes);
	float *A, *B, *C, *D;

	for (size_t i = 0; i < count; i++) {
		A_host[i] = 0.1f * (float)(i % 101);
		B_host[i] = 0.3f * (float)(i % 53);
		C_host[i] = 1.0f + (float)(i % 29);
	}
	CHECK(cudaMalloc(&A, bytes));
	CHECK(cudaMalloc(&B, bytes));
	CHECK(cudaMalloc(&C, bytes));
	CHECK(cudaMalloc(&D, bytes));
	CHECK(cudaMemcpy(A, A_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(B, B_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(C, C_host, bytes, cudaMemcpyHostToDevice));

	dim3 block(BLOCK);
	dim3 grid((N * N + BLOCK - 1) / BLOCK);
	multiply_add<<<grid, block>>>(A, B, C, D, N);
	int wrong = check(A_host, B_host, C_host, D_host, D);
	multiply_add_fused<<<grid, block>>>(A, B, C, D, N);
	wrong += check(A_host, B_host, C_host, D_host, D);
	printf("multiply_add: %d x %d, %d elements wrong\n", N, N, wrong);

	CHECK(cudaFree(A));
	CHECK(cudaFree(B));
	CHECK(cudaFree(C));
	CHECK(cudaFree(D));
	free(A_host);
	free(B_host);
	free(C_host);
	free(D_host);
	return wrong != 0;
}
