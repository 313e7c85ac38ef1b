/*
 * Two matrix products, the naive way of PolyBench: C = A.B, E = C.D, all N x N, one thread per element of the result.
 * The sums grow in device memory, as in the original.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1024
#endif
#define SAMPLES 8

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

/* C = A.B */
__global__ void mm2_kernel1(const float *A, const float *B, float *C)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		for (int k = 0; k < N; k++)
			C[i * N + j] += A[i * N + k] * B[k * N + j];
	}
}

/* E = C.D */
__global__ void mm2_kernel2(const float *C, const float *D, float *E)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		for (int k = 0; k < N; k++)
			E[i * N + j] += C[i * N + k] * D[k * N + j];
	}
}

static float *matrix_create(void)
{
	float *matrix = (float *)calloc((size_t)N * N, sizeof(float));

	if (!matrix) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return matrix;
}

static void matrix_fill(float *matrix, int seed)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			matrix[(size_t)i * N + j] = (float)((i * seed + j) % 97 + 1) / 97.0f;
}

/* Element (i, j) of (A.B).D */
static double expected(const float *A, const float *B, const float *D, int i, int j)
{
	double sum = 0.0;

	for (size_t k = 0; k < N; k++) {
		double product = 0.0;

		for (size_t l = 0; l < N; l++)
			product += (double)A[(size_t)i * N + l] * B[l * N + k];
		sum += product * D[k * N + (size_t)j];
	}
	return sum;
}

int main(void)
{
	size_t bytes = (size_t)N * N * sizeof(float);
	float *A_host = matrix_create();
	float *B_host = matrix_create();
	float *C_host = matrix_create();
	float *D_host = matrix_create();
	float *E_host = matrix_create();
	float *A, *B, *C, *D, *E;

	matrix_fill(A_host, 1);
	matrix_fill(B_host, 2);
	matrix_fill(D_host, 3);
	CHECK(cudaMalloc(&A, bytes));
	CHECK(cudaMalloc(&B, bytes));
	CHECK(cudaMalloc(&C, bytes));
	CHECK(cudaMalloc(&D, bytes));
	CHECK(cudaMalloc(&E, bytes));
	CHECK(cudaMemcpy(A, A_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(B, B_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(C, C_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(D, D_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(E, E_host, bytes, cudaMemcpyHostToDevice));

	dim3 block(32, 8);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	mm2_kernel1<<<grid, block>>>(A, B, C);
	mm2_kernel2<<<grid, block>>>(C, D, E);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(E_host, E, bytes, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int s = 0; s < SAMPLES; s++) {
		int i = s * (N - 1) / (SAMPLES - 1);
		int j = (s * 5 % SAMPLES) * (N - 1) / (SAMPLES - 1);
		double want = expected(A_host, B_host, D_host, i, j);

		wrong += !(fabs(E_host[(size_t)i * N + j] - want) <= 1e-3 * fabs(want));
	}
	printf("2mm: %d x %d, %d of %d samples wrong\n", N, N, wrong, SAMPLES);

	CHECK(cudaFree(A));
	CHECK(cudaFree(B));
	CHECK(cudaFree(C));
	CHECK(cudaFree(D));
	CHECK(cudaFree(E));
	free(A_host);
	free(B_host);
	free(C_host);
	free(D_host);
	free(E_host);
	return wrong != 0;
}
