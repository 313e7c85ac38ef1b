/*
 * Sparse matrix times vector, compressed rows, one thread per row: entries are records {column, value}.
 * How long a row is stands in memory, so the trip count is unknown to a static reader; lanes stride by the length of a row.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 65536
#endif
#define ROW 16
#define BLOCK 128

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

struct entry {
	int column;
	float value;
};

__global__ void multiply(const int *row_start, const struct entry *entries, const float *vector, float *result, int rows)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;

	if (row < rows) {
		float sum = 0.0f;

		for (int e = row_start[row]; e < row_start[row + 1]; e++)
			sum += entries[e].value * vector[entries[e].column];
		result[row] = sum;
	}
}

int main(void)
{
	int *row_start_host = (int *)malloc((N + 1) * sizeof(int));
	struct entry *entries_host = (struct entry *)malloc((size_t)N * ROW * sizeof(struct entry));
	float *vector_host = (float *)malloc(N * sizeof(float));
	float *result_host = (float *)malloc(N * sizeof(float));
	int *row_start;
	struct entry *entries;
	float *vector, *result;
	int count = 0;

	for (int row = 0; row < N; row++) {
		row_start_host[row] = count;
		for (int e = 0; e < ROW / 2 + row % (ROW / 2); e++) {
			entries_host[count].column = (int)((row + e * 977ll) % N);
			entries_host[count++].value = 1.0f + (float)(e % 5);
		}
		vector_host[row] = 0.5f + (float)(row % 19);
	}
	row_start_host[N] = count;
	CHECK(cudaMalloc(&row_start, (N + 1) * sizeof(int)));
	CHECK(cudaMalloc(&entries, count * sizeof(struct entry)));
	CHECK(cudaMalloc(&vector, N * sizeof(float)));
	CHECK(cudaMalloc(&result, N * sizeof(float)));
	CHECK(cudaMemcpy(row_start, row_start_host, (N + 1) * sizeof(int), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(entries, entries_host, count * sizeof(struct entry), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(vector, vector_host, N * sizeof(float), cudaMemcpyHostToDevice));

	dim3 block(BLOCK);
	dim3 grid((N + BLOCK - 1) / BLOCK);
	multiply<<<grid, block>>>(row_start, entries, vector, result, N);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(result_host, result, N * sizeof(float), cudaMemcpyDeviceToHost));

	int wrong = 0;
	for (int row = 0; row < N; row++) {
		double want = 0.0;

		for (int e = row_start_host[row]; e < row_start_host[row + 1]; e++)
			want += (double)entries_host[e].value * vector_host[entries_host[e].column];
		wrong += !(fabs(result_host[row] - want) <= 1e-4 * fabs(want));
	}
	printf("spmv: %d rows, %d entries, %d rows wrong\n", N, count, wrong);

	CHECK(cudaFree(row_start));
	CHECK(cudaFree(entries));
	CHECK(cudaFree(vector));
	CHECK(cudaFree(result));
	free(row_start_host);
	free(entries_host);
	free(vector_host);
	free(result_host);
	return wrong != 0;
}
