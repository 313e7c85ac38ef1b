/*
 * Sum of an array of integers: the seven steps of the classic tutorial on parallel reduction, each a little faster.
 * Every block leaves one partial sum; the host adds those up.
 */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N (1 << 22)
#endif
#ifndef BLOCK
#define BLOCK 256
#endif
#define GRID_STRIDE_BLOCKS 128
#if N % (2 * BLOCK) != 0
#error N must be a multiple of 2 * BLOCK
#endif

#define CHECK(call)                                                                                                    \
	do {                                                                                                           \
		cudaError_t error = (call);                                                                            \
		if (error != cudaSuccess) {                                                                            \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                 \
			exit(1);                                                                                       \
		}                                                                                                      \
	} while (0)

/* 1: interleaved addresses; neighbouring threads diverge, and % is dear */
__global__ void reduce1(const int *input, int *partial)
{
	extern __shared__ int sums[];
	unsigned tid = threadIdx.x;

	sums[tid] = input[blockIdx.x * blockDim.x + tid];
	__syncthreads();
	for (unsigned s = 1; s < blockDim.x; s *= 2) {
		if (tid % (2 * s) == 0)
			sums[tid] += sums[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
}

/* 2: no divergence, but a stride between threads: bank conflicts */
__global__ void reduce2(const int *input, int *partial)
{
	extern __shared__ int sums[];
	unsigned tid = threadIdx.x;

	sums[tid] = input[blockIdx.x * blockDim.x + tid];
	__syncthreads();
	for (unsigned s = 1; s < blockDim.x; s *= 2) {
		unsigned index = 2 * s * tid;

		if (index < blockDim.x)
			sums[index] += sums[index + s];
		__syncthreads();
	}
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
}

/* 3: sequential addresses */
__global__ void reduce3(const int *input, int *partial)
{
	extern __shared__ int sums[];
	unsigned tid = threadIdx.x;

	sums[tid] = input[blockIdx.x * blockDim.x + tid];
	__syncthreads();
	for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
		if (tid < s)
			sums[tid] += sums[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
}

/* 4: the first addition while loading, so that half the threads do not idle from the start */
__global__ void reduce4(const int *input, int *partial)
{
	extern __shared__ int sums[];
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * (blockDim.x * 2) + tid;

	sums[tid] = input[i] + input[i + blockDim.x];
	__syncthreads();
	for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
		if (tid < s)
			sums[tid] += sums[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
}

/* The sum of 64 values by the 32 threads of one warp, left in sums[0]. */
__device__ void warp_reduce(volatile int *sums, unsigned tid)
{
	int sum = sums[tid] + sums[tid + 32];

	for (unsigned s = 16; s > 0; s >>= 1) {
		__syncwarp();
		sums[tid] = sum;
		__syncwarp();
		sum += sums[tid + s];
	}
	__syncwarp();
	sums[tid] = sum;
}

/* 5: the last warp without block barriers */
__global__ void reduce5(const int *input, int *partial)
{
	extern __shared__ int sums[];
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * (blockDim.x * 2) + tid;

	sums[tid] = input[i] + input[i + blockDim.x];
	__syncthreads();
	for (unsigned s = blockDim.x / 2; s > 32; s >>= 1) {
		if (tid < s)
			sums[tid] += sums[tid + s];
		__syncthreads();
	}
	if (tid < 32)
		warp_reduce(sums, tid);
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
}

/* The sum of block_size values, left in sums[0]; every step is decided at compile time. */
template <unsigned block_size> __device__ void block_reduce(int *sums, unsigned tid)
{
	if (block_size >= 512) {
		if (tid < 256)
			sums[tid] += sums[tid + 256];
		__syncthreads();
	}
	if (block_size >= 256) {
		if (tid < 128)
			sums[tid] += sums[tid + 128];
		__syncthreads();
	}
	if (block_size >= 128) {
		if (tid < 64)
			sums[tid] += sums[tid + 64];
		__syncthreads();
	}
	if (tid < 32)
		warp_reduce(sums, tid);
}

/* 6: the loop unrolled whole */
template <unsigned block_size> __global__ void reduce6(const int *input, int *partial)
{
	extern __shared__ int sums[];
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * (block_size * 2) + tid;

	sums[tid] = input[i] + input[i + block_size];
	__syncthreads();
	block_reduce<block_size>(sums, tid);
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
}

/* 7: many elements per thread */
template <unsigned block_size> __global__ void reduce7(const int *input, int *partial, unsigned count)
{
	extern __shared__ int sums[];
	unsigned tid = threadIdx.x;
	unsigned i = blockIdx.x * (block_size * 2) + tid;
	int sum = 0;

	while (i < count) {
		sum += input[i] + input[i + block_size];
		i += block_size * 2 * gridDim.x;
	}
	sums[tid] = sum;
	__syncthreads();
	block_reduce<block_size>(sums, tid);
	if (tid == 0)
		partial[blockIdx.x] = sums[0];
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
	int blocks = N / BLOCK;
	int partials = blocks > GRID_STRIDE_BLOCKS ? blocks : GRID_STRIDE_BLOCKS;
	size_t shared_bytes = BLOCK * sizeof(int);
	long long want = 0;
	int wrong = 0;

	for (int i = 0; i < N; i++) {
		input_host[i] = i * 7 % 101 - 30;
		want += input_host[i];
	}
	CHECK(cudaMalloc(&input, N * sizeof(int)));
	CHECK(cudaMalloc(&partial, partials * sizeof(int)));
	CHECK(cudaMemcpy(input, input_host, N * sizeof(int), cudaMemcpyHostToDevice));

	reduce1<<<N / BLOCK, BLOCK, shared_bytes>>>(input, partial);
	wrong += check("reduce1", partial, blocks, want);
	reduce2<<<N / BLOCK, BLOCK, shared_bytes>>>(input, partial);
	wrong += check("reduce2", partial, blocks, want);
	reduce3<<<N / BLOCK, BLOCK, shared_bytes>>>(input, partial);
	wrong += check("reduce3", partial, blocks, want);
	reduce4<<<N / BLOCK / 2, BLOCK, shared_bytes>>>(input, partial);
	wrong += check("reduce4", partial, blocks / 2, want);
	reduce5<<<N / BLOCK / 2, BLOCK, shared_bytes>>>(input, partial);
	wrong += check("reduce5", partial, blocks / 2, want);
	reduce6<BLOCK><<<N / BLOCK / 2, BLOCK, shared_bytes>>>(input, partial);
	wrong += check("reduce6", partial, blocks / 2, want);
	reduce7<BLOCK><<<GRID_STRIDE_BLOCKS, BLOCK, shared_bytes>>>(input, partial, N);
	wrong += check("reduce7", partial, GRID_STRIDE_BLOCKS, want);
	printf("reduction: %d integers, %d of 7 sums wrong\n", N, wrong);

	CHECK(cudaFree(input));
	CHECK(cudaFree(partial));
	free(input_host);
	return wrong != 0;
}
