/*
 * Matrix transpose: the naive way, whose stores stride through memory, and through a tile in shared memory.
 * The tile is read across its columns, without padding: bank conflicts.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 2048
#endif
#define TILE 16

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

__global__ void transpose_naive(const float *in, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int j = blockIdx.y * blockDim.y + threadIdx.y;

	if (i < n && j < n)
		out[i * n + j] = in[j * n + i];
}

__global__ void transpose_shared(const float *in, float *out, int n)
{
	__shared__ float tile[TILE * TILE];
	int x = blockIdx.x * TILE;
	int y = blockIdx.y * TILE;
	int column = x + threadIdx.x;
	int row = y + threadIdx.y;

	if (column < n && row < n)
		tile[threadIdx.y * TILE + threadIdx.x] = in[row * n + column];
	__syncthreads();
	column = y + threadIdx.x;
	row = x + threadIdx.y;
	if (column < n && row < n)
		out[row * n + column] = tile[threadIdx.x * TILE + threadIdx.y];
}

/* Copies the result back; returns the number of wrong elements. */
static int check(const float *in_host, float *out_host, const float *out)
{
	size_t n = N;
	int wrong = 0;

	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(out_host, out, n * n * sizeof(float), cudaMemcpyDeviceToHost));
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++)
			wrong += out_host[i * n + j] != in_host[j * n + i];
	return wrong;
}

int main(void)
{
	size_t bytes = (size_t)N * N * sizeof(float);
	float *in_host = (float *)malloc(bytes);
	float *out_host = (float *)malloc(bytes);
	float *in, *out;

	for (size_t i = 0; i < (size_t)N * N; i++)
		in_host[i] = (float)(i % 65521);
	CHECK(cudaMalloc(&in, bytes));
	CHECK(cudaMalloc(&out, bytes));
	CHECK(cudaMemcpy(in, in_host, bytes, cudaMemcpyHostToDevice));

	dim3 block(TILE, TILE);
	dim3 grid((N + block.x - 1) / block.x, (N + block.y - 1) / block.y);
	transpose_naive<<<grid, block>>>(in, out, N);
	int wrong = check(in_host, out_host, out);
	CHECK(cudaMemset(out, 0, bytes));
	transpose_shared<<<grid, block>>>(in, out, N);
	wrong += check(in_host, out_host, out);
	printf("transpose: %d x %d, %d elements wrong\n", N, N, wrong);

	CHECK(cudaFree(in));
	CHECK(cudaFree(out));
	free(in_host);
	free(out_host);
	return wrong != 0;
}
