/*
 * Symmetric rank-2k update, the naive way of PolyBench: C = alpha * (A.B' + B.A') + beta * C, all N x N.
 * One thread per element of C; lanes with neighbouring j stride through rows j of A and B.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1024
#endif
#define SAMPLES 32
#define ALPHA 1.5f
#define BETA 0.75f

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

__global__ void syr2k_kernel(const float *A, const float *B, float *C, float alpha, float beta)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		C[i * N + j] *= beta;
		for (int k = 0; k < N; k++)
			C[i * N + j] += alpha * A[i * N + k] * B[j * N + k] + alpha * B[i * N + k] * A[j * N + k];
	}
}

static float *matrix_create(int seed)
{
	float *matrix = (float *)malloc((size_t)N * N * sizeof(float));

	if (!matrix) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			matrix[(size_t)i * N + j] = (float)((i * seed + j) % 97 + 1) / 97.0f;
	return matrix;
}

static double expected(const float *A, const float *B, double old, size_t i, size_t j)
{
	double sum = BETA * old;

	for (size_t k = 0; k < N; k++)
		sum += ALPHA * ((double)A[i * N + k] * B[j * N + k] + (double)B[i * N + k] * A[j * N + k]);
	return sum;
}

int main(void)
{
	size_t bytes = (size_t)N * N * sizeof(float);
	float *A_host = matrix_create(1);
	float *B_host = matrix_create(2);
	float *C_host = matrix_create(3);
	float *C_old = matrix_create(3);
	float *A, *B, *C;

	CHECK(cudaMalloc(&A, bytes));
	CHECK(cudaMalloc(&B, bytes));
	CHECK(cudaMalloc(&C, bytes));
	CHECK(cudaMemcpy(A, A_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(B, B_host, bytes, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(C, C_host, bytes, cudaMemcpyHostToDevice));

	dim3 block(32, 8);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	syr2k_kernel<<<grid, block>>>(A, B, C, ALPHA, BETA);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(C_host, C, bytes, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int s = 0; s < SAMPLES; s++) {
		size_t i = (size_t)s * (N - 1) / (SAMPLES - 1);
		size_t j = (size_t)(s * 5 % SAMPLES) * (N - 1) / (SAMPLES - 1);
		double want = expected(A_host, B_host, C_old[i * N + j], i, j);

		wrong += !(fabs(C_host[i * N + j] - want) <= 1e-3 * fabs(want));
	}
	printf("syr2k: %d x %d, %d of %d samples wrong\n", N, N, wrong, SAMPLES);

	CHECK(cudaFree(A));
	CHECK(cudaFree(B));
	CHECK(cudaFree(C));
	free(A_host);
	free(B_host);
	free(C_host);
	free(C_old);
	return wrong != 0;
}
