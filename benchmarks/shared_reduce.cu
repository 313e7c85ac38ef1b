/*
 * Sum of an array of integers, each block in place: in device memory, in shared memory, with four loads per thread,
 * and with shared memory sized at launch. Every block leaves one partial sum; the host adds those up.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N (1 << 22)
#endif
#define BLOCK 128
#if N % (4 * BLOCK) != 0
#error N must be a multiple of 4 * BLOCK
#endif

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

/* Halves the values of one block until 64 are left. */
__device__ void halve(int *values, unsigned tid)
{
	if (blockDim.x >= 1024 && tid < 512)
		values[tid] += values[tid + 512];
	__syncthreads();
	if (blockDim.x >= 512 && tid < 256)
		values[tid] += values[tid + 256];
	__syncthreads();
	if (blockDim.x >= 256 && tid < 128)
		values[tid] += values[tid + 128];
	__syncthreads();
	if (blockDim.x >= 128 && tid < 64)
		values[tid] += values[tid + 64];
	__syncthreads();
}

/* The sum of the last 64 values by one warp, left in values[0]. */
__device__ void finish(volatile int *values, unsigned tid)
{
	int sum = values[tid] + values[tid + 32];

	for (unsigned s = 16; s > 0; s >>= 1) {
		__syncwarp();
		values[tid] = sum;
		__syncwarp();
		sum += values[tid + s];
	}
	__syncwarp();
	values[tid] = sum;
}

/* Overwrites its input. */
__global__ void reduce_global(int *input, int *partial)
{
	unsigned tid = threadIdx.x;
	int *values = input + blockIdx.x * blockDim.x;

	halve(values, tid);
	if (tid < 32)
		finish(values, tid);
	if (tid == 0)
		partial[blockIdx.x] = values[0];
}

__global__ void reduce_shared(const int *input, int *partial)
{
	__shared__ int values[BLOCK];
	unsigned tid = threadIdx.x;

	values[tid] = input[blockIdx.x * blockDim.x + tid];
	__syncthreads();
	halve(values, tid);
	if (tid < 32)
		finish(values, tid);
	if (tid == 0)
		partial[blockIdx.x] = values[0];
}

__global__ void reduce_shared_unroll(const int *input, int *partial, unsigned count)
{
	__shared__ int values[BLOCK];
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * blockDim.x * 4 + tid;
	int sum = 0;

	if (i + 3 * blockDim.x < count)
		sum = input[i] + input[i + blockDim.x] + input[i + 2 * blockDim.x] + input[i + 3 * blockDim.x];
	values[tid] = sum;
	__syncthreads();
	halve(values, tid);
	if (tid < 32)
		finish(values, tid);
	if (tid == 0)
		partial[blockIdx.x] = values[0];
}

__global__ void reduce_shared_dynamic(const int *input, int *partial, unsigned count)
{
	extern __shared__ int dynamic_values[];
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * blockDim.x * 4 + tid;
	int sum = 0;

	if (i + 3 * blockDim.x < count)
		sum = input[i] + input[i + blockDim.x] + input[i + 2 * blockDim.x] + input[i + 3 * blockDim.x];
	dynamic_values[tid] = sum;
	__syncthreads();
	halve(dynamic_values, tid);
	if (tid < 32)
		finish(dynamic_values, tid);
	if (tid == 0)
		partial[blockIdx.x] = dynamic_values[0];
}

/* Adds up the partial sums of `blocks` blocks and compares; returns 1 when they are wrong. */
static int check(const char *kernel, const int *partial, int blocks, long long want)
{
	int *partial_host = (int *)malloc(blocks * sizeof(int));
	long long sum = 0;

	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(partial_host, partial, blocks * sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 0; i < blocks; i++)
		sum += partial_host[i];
	free(partial_host);
	if (sum != want)
		printf("%s: %lld instead of %lld\n", kernel, sum, want);
	return sum != want;
}

int main(void)
{
	int *input_host = (int *)malloc(N * sizeof(int));
	int *input, *partial;
	long long want = 0;
	int wrong = 0;

	for (int i = 0; i < N; i++) {
		input_host[i] = i * 7 % 101 - 30;
		want += input_host[i];
	}
	CHECK(cudaMalloc(&input, N * sizeof(int)));
	CHECK(cudaMalloc(&partial, N / BLOCK * sizeof(int)));
	CHECK(cudaMemcpy(input, input_host, N * sizeof(int), cudaMemcpyHostToDevice));

	reduce_shared<<<N / BLOCK, BLOCK>>>(input, partial);
	wrong += check("reduce_shared", partial, N / BLOCK, want);
	reduce_shared_unroll<<<N / BLOCK / 4, BLOCK>>>(input, partial, N);
	wrong += check("reduce_shared_unroll", partial, N / BLOCK / 4, want);
	reduce_shared_dynamic<<<N / BLOCK / 4, BLOCK, BLOCK * sizeof(int)>>>(input, partial, N);
	wrong += check("reduce_shared_dynamic", partial, N / BLOCK / 4, want);
	reduce_global<<<N / BLOCK, BLOCK>>>(input, partial);
	wrong += check("reduce_global", partial, N / BLOCK, want);
	printf("shared_reduce: %d integers, %d of 4 sums wrong\n", N, wrong);

	CHECK(cudaFree(input));
	CHECK(cudaFree(partial));
	free(input_host);
	return wrong != 0;
}
