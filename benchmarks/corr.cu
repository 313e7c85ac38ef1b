/*
 * Correlation matrix, the naive way of PolyBench: N observations (rows) of N variables (columns).
 * Mean and deviation of each column, normalised data, then one thread per variable j1 and a triangular loop over j2 > j1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1024
#endif
#define SAMPLES 16
#define EPSILON 0.005f

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

__global__ void mean_kernel(const float *data, float *mean)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j < N) {
		mean[j] = 0.0f;
		for (int i = 0; i < N; i++)
			mean[j] += data[i * N + j];
		mean[j] /= (float)N;
	}
}

__global__ void std_kernel(const float *data, const float *mean, float *stddev)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;

	if (j < N) {
		stddev[j] = 0.0f;
		for (int i = 0; i < N; i++)
			stddev[j] += (data[i * N + j] - mean[j]) * (data[i * N + j] - mean[j]);
		stddev[j] = sqrtf(stddev[j] / (float)N);
		if (stddev[j] <= EPSILON)
			stddev[j] = 1.0f;
	}
}

__global__ void reduce_kernel(float *data, const float *mean, const float *stddev)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < N && j < N) {
		data[i * N + j] -= mean[j];
		data[i * N + j] /= sqrtf((float)N) * stddev[j];
	}
}

__global__ void corr_kernel(const float *data, float *symmat)
{
	int j1 = blockIdx.x * blockDim.x + threadIdx.x;

	if (j1 < N) {
		symmat[j1 * N + j1] = 1.0f;
		for (int j2 = j1 + 1; j2 < N; j2++) {
			symmat[j1 * N + j2] = 0.0f;
			for (int i = 0; i < N; i++)
				symmat[j1 * N + j2] += data[i * N + j1] * data[i * N + j2];
			symmat[j2 * N + j1] = symmat[j1 * N + j2];
		}
	}
}

/* Columns rise and fall together to a degree that depends on their distance, plus noise. */
static void initialise(float *data)
{
	unsigned state = 1;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			state = state * 1664525u + 1013904223u;
			data[(size_t)i * N + j] = sinf(0.1f * (float)i + 0.01f * (float)j) + (float)(state >> 8) / 16777216.0f;
		}
}

static double expected(const float *data, size_t j1, size_t j2)
{
	double sum1 = 0.0, sum2 = 0.0, square1 = 0.0, square2 = 0.0, product = 0.0;

	for (size_t i = 0; i < N; i++) {
		sum1 += data[i * N + j1];
		sum2 += data[i * N + j2];
	}
	for (size_t i = 0; i < N; i++) {
		double d1 = data[i * N + j1] - sum1 / N, d2 = data[i * N + j2] - sum2 / N;

		square1 += d1 * d1;
		square2 += d2 * d2;
		product += d1 * d2;
	}
	return product / sqrt(square1 * square2);
}

int main(void)
{
	size_t bytes = (size_t)N * N * sizeof(float);
	float *data_host = (float *)malloc(bytes);
	float *symmat_host = (float *)malloc(bytes);
	float *data, *mean, *stddev, *symmat;

	initialise(data_host);
	CHECK(cudaMalloc(&data, bytes));
	CHECK(cudaMalloc(&mean, N * sizeof(float)));
	CHECK(cudaMalloc(&stddev, N * sizeof(float)));
	CHECK(cudaMalloc(&symmat, bytes));
	CHECK(cudaMemcpy(data, data_host, bytes, cudaMemcpyHostToDevice));

	dim3 row_block(256);
	dim3 row_grid((N + row_block.x - 1) / row_block.x);
	dim3 block(32, 8);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	mean_kernel<<<row_grid, row_block>>>(data, mean);
	std_kernel<<<row_grid, row_block>>>(data, mean, stddev);
	reduce_kernel<<<grid, block>>>(data, mean, stddev);
	corr_kernel<<<row_grid, row_block>>>(data, symmat);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(symmat_host, symmat, bytes, cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int s = 0; s < SAMPLES; s++) {
		size_t j1 = (size_t)s * (N - 1) / (SAMPLES - 1);
		size_t j2 = s % 2 ? (j1 + 1) % N : (size_t)(s * 5 % SAMPLES) * (N - 1) / (SAMPLES - 1);
		double want = expected(data_host, j1, j2);

		wrong += !(fabs(symmat_host[j1 * N + j2] - want) <= 1e-3);
	}
	printf("corr: %d observations of %d variables, %d of %d samples wrong\n", N, N, wrong, SAMPLES);

	CHECK(cudaFree(data));
	CHECK(cudaFree(mean));
	CHECK(cudaFree(stddev));
	CHECK(cudaFree(symmat));
	free(data_host);
	free(symmat_host);
	return wrong != 0;
}
