/*
 * Three matrix products, the naive way of PolyBench: E = A.B, F = C.D, G = E.F, all N x N, one thread per element of the result.
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

/* E = A.B */
__global__ void mm3_kernel1(const float *A, const float *B, float *E)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		for (int k = 0; k < N; k++)
			E[i * N + j] += A[i * N + k] * B[k * N + j];
	}
}

/* F = C.D */
__global__ void mm3_kernel2(const float *C, const float *D, float *F)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		for (int k = 0; k < N; k++)
			F[i * N + j] += C[i * N + k] * D[k * N + j];
	}
}

/* G = E.F */
__global__ void mm3_kernel3(const float *E, const float *F, float *G)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		for (int k = 0; k < N; k++)
			G[i * N + j] += E[i * N + k] * F[k * N + j];
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

/* Element (i, j) of X.Y */
static double product(const float *X, const float *Y, size_t i, size_t j)
{
	double sum = 0.0;

	for (size_t k = 0; k < N; k++)
		sum += (double)X[i * N + k] * Y[k * N + j];
	return sum;
}

/* Element (i, j) of (A.B).(C.D) */
static double expected(const float *A, const float *B, const float *C, const float *D, int i, int j)
{
	double sum = 0.0;

	for (size_t k = 0; k < N; k++)
		sum += product(A, B, (size_t)i, k) * product(C, D, k, (size_t)j);
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
	float *F_host = matrix_create();
	float *G_host = matrix_create();
	float *A, *B, *C, *D, *E, *F, *G;

	matrix_fill(A_host, 1);
	matrix_fill(B_host, 2);
	matrix_fill(C_host, 3);
	matrix_fill(D_host, 4);
	CHECK(cudaMalloc(&A, bytes));
	CHECK(cudaMalloc(&B, bytes));
	CHECK(cudaMalloc(&C, bytes));
	CHECK(cudaMalloc(&D, bytes));
	CHECK(cudaMalloc(&E, bytes));
	CHECK(cudaMalloc(&F, bytes));
	CHECK(cudaMalloc(&G, bytes));
	CHECK(cudaMemcpy(A, A_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(B, B_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(C, C_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(D, D_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(E, E_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(F, F_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(G, G_host, bytes, cudaMemcpyHostToDevice));

	dim3 block(32, 8);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	mm3_kernel1<<<grid, block>>>(A, B, E);
	mm3_kernel2<<<grid, block>>>(C, D, F);
	mm3_kernel3<<<grid, block>>>(E, F, G);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(G_host, G, bytes, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int s = 0; s < SAMPLES; s++) {
		int i = s * (N - 1) / (SAMPLES - 1);
		int j = (s * 5 % SAMPLES) * (N - 1) / (SAMPLES - 1);
		double want = expected(A_host, B_host, C_host, D_host, i, j);

		wrong += !(fabs(G_host[(size_t)i * N + j] - want) <= 1e-3 * fabs(want));
	}
	printf("3mm: %d x %d, %d of %d samples wrong\n", N, N, wrong, SAMPLES);

	CHECK(cudaFree(A));
	CHECK(cudaFree(B));
	CHECK(cudaFree(C));
	CHECK(cudaFree(D));
	CHECK(cudaFree(E));
	CHECK(cudaFree(F));
	CHECK(cudaFree(G));
	free(A_host);
	free(B_host);
	free(C_host);
	free(D_host);
	free(E_host);
	free(F_host);
	free(G_host);
	return wrong != 0;
}
