/*
 * Asynchronous copies (cp.async) through buffers in shared memory: a block copies one tile of 4 KB after the other, STAGES - 1 ahead of the one that it sums up, or loads it through registers (0). By 1 to 8 blocks of an SM, from DRAM, or from the L2, which has it then.
 *
 *     nvcc -O3 -arch=sm_90 -o copies_async copies_async.cu; ./copies_async >copies_async.csv
 *
 * Prints CSV: stages, words of four bytes that a lane copies at a time, blocks of an SM, tiles of a block, microseconds cold and warm, the least of seven: benchmarks/measured/copies_async-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>
#define SMS 132
#define BLOCK 256
#define FLUSHED (256 << 20)

template <int STAGES, class T> __global__ void __launch_bounds__(BLOCK) staged(const T *a, float *b, int tiles)
{
	__shared__ T buffer[STAGES][BLOCK];
	int t = threadIdx.x;
	const T *own = a + (size_t)blockIdx.x * tiles * BLOCK;
	float sum = 0;
#pragma unroll
	for (int k = 0; k < STAGES - 1; k++) {
		if (k < tiles)
			__pipeline_memcpy_async(&buffer[k][t], &own[k * BLOCK + t], sizeof(T));
		__pipeline_commit();
	}
#pragma unroll 1
	for (int k = 0; k < tiles; k++) {
		int next = k + STAGES - 1;
		if (next < tiles)
			__pipeline_memcpy_async(&buffer[next % STAGES][t], &own[next * BLOCK + t], sizeof(T));
		__pipeline_commit();
		__pipeline_wait_prior(STAGES - 1);
		__syncthreads();
		sum += *(const float *)&buffer[k % STAGES][(t + 1) % BLOCK];
		__syncthreads();
	}
	b[blockIdx.x * BLOCK + t] = sum;
}
template <class T> __global__ void __launch_bounds__(BLOCK) loaded(const T *a, float *b, int tiles)
{
	__shared__ T buffer[BLOCK];
	int t = threadIdx.x;
	const T *own = a + (size_t)blockIdx.x * tiles * BLOCK;
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < tiles; k++) {
		buffer[t] = own[k * BLOCK + t];
		__syncthreads();
		sum += *(const float *)&buffer[(t + 1) % BLOCK];
		__syncthreads();
	}
	b[blockIdx.x * BLOCK + t] = sum;
}

static float *a, *b, *flushed;
static cudaEvent_t begin, end;

template <class T> static void measure(int stages, void (*kernel)(const T *, float *, int))
{
	for (int blocks = 1; blocks <= 8; blocks *= 2)
		for (int tiles = 16; tiles <= 64; tiles *= 4) {
			float least[2] = {1e9f, 1e9f};
			for (int round = 0; round < 7; round++)
				for (int warm = 0; warm < 2; warm++) {
					float milliseconds;
					if (!warm)
						cudaMemset(flushed, round, FLUSHED);
					cudaEventRecord(begin);
					kernel<<<SMS * blocks, BLOCK>>>((const T *)a, b, tiles);
					cudaEventRecord(end);
					cudaEventSynchronize(end);
					cudaEventElapsedTime(&milliseconds, begin, end);
					least[warm] = std::min(least[warm], milliseconds);
				}
			printf("%d,%d,%d,%d,%.2f,%.2f\n", stages, (int)(sizeof(T) / 4), blocks, tiles, 1e3 * least[0],
			       1e3 * least[1]);
		}
}

int main()
{
	cudaMalloc(&a, (size_t)SMS * 8 * 64 * BLOCK * 16);
	cudaMemset(a, 0, (size_t)SMS * 8 * 64 * BLOCK * 16);
	cudaMalloc(&b, SMS * 8 * BLOCK * sizeof *b);
	cudaMalloc(&flushed, FLUSHED);
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	printf("stages,words,blocks,tiles,cold_us,warm_us\n");
	measure<float4>(0, loaded<float4>);
	measure<float4>(2, staged<2, float4>);
	measure<float4>(3, staged<3, float4>);
	measure<float4>(4, staged<4, float4>);
	measure<float>(0, loaded<float>);
	measure<float>(2, staged<2, float>);
	measure<float>(4, staged<4, float>);
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
