/*
 * What a load costs the scheduler that issues it: so many loads that hit, all lanes the same word, among multiplications, on two blocks of 1024 threads for each of 132 SMs. Prints CSV:
 * memory, loads, words of each, multiplications of a round, microseconds of 1000 rounds (least of five launches). benchmarks/measured/loads-h200.csv has them, and what issue slots and
 * register banks alone make of the same machine code.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

#define ROUNDS 1000
#define SUMS 8

template <int WORDS> struct words;
template <> struct words<1> { typedef float type; };
template <> struct words<2> { typedef float2 type; };
template <> struct words<4> { typedef float4 type; };

static __device__ float sum_of(float v) { return v; }
static __device__ float sum_of(float2 v) { return v.x + v.y; }
static __device__ float sum_of(float4 v) { return v.x + v.y + v.z + v.w; }

template <int LOADS, int WORDS, int PRODUCTS> static __device__ float rounds_of(const float *from)
{
	typedef typename words<WORDS>::type type;
	float sums[SUMS], all = 0;
#pragma unroll
	for (int i = 0; i < SUMS; i++)
		sums[i] = threadIdx.x + i;
#pragma unroll 1
	for (int round = 0; round < ROUNDS; round++) {
		const float *place = from + (round & 3) * 256;
		type values[LOADS ? LOADS : 1];
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			values[i] = *(const type *)(place + i * 8);
#pragma unroll
		for (int i = 0; i < PRODUCTS; i++)
			sums[i % SUMS] *= 1.0001f;
#pragma unroll
		for (int i = 0; i < LOADS; i++)
			sums[i % SUMS] += sum_of(values[i]);
	}
#pragma unroll
	for (int i = 0; i < SUMS; i++)
		all += sums[i];
	return all;
}

template <int LOADS, int WORDS, int PRODUCTS> __global__ void __launch_bounds__(1024) from_global(const float *from, float *to)
{
	to[blockIdx.x * 1024 + threadIdx.x] = rounds_of<LOADS, WORDS, PRODUCTS>(from);
}

template <int LOADS, int WORDS, int PRODUCTS> __global__ void __launch_bounds__(1024) from_shared(const float *from, float *to)
{
	__shared__ float4 copy[256];
	((float *)copy)[threadIdx.x] = from[threadIdx.x];
	__syncthreads();
	to[blockIdx.x * 1024 + threadIdx.x] = rounds_of<LOADS, WORDS, PRODUCTS>((const float *)copy);
}

static float *from, *to;

template <class kernel> static void measure(const char *memory, int loads, int words, int products, kernel launch)
{
	cudaEvent_t begin, end;
	float least = 1e9;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int i = 0; i < 6; i++) {
		float ms;
		cudaEventRecord(begin);
		launch();
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&ms, begin, end);
		least = i ? std::min(least, ms) : least;
	}
	printf("%s,%d,%d,%d,%.1f\n", memory, loads, words, products, least * 1e3);
}

#define MEASURE(memory, loads, words, products)                                                                                    \
	measure(#memory, loads, words, products, [] { from_##memory<loads, words, products><<<264, 1024>>>(from, to); })

int main()
{
	cudaMalloc(&from, 1 << 20);
	cudaMalloc(&to, 264 * 1024 * sizeof(float));
	cudaMemset(from, 0, 1 << 20);
	MEASURE(global, 0, 1, 64);
	MEASURE(global, 2, 1, 64);
	MEASURE(global, 4, 1, 64);
	MEASURE(global, 8, 1, 64);
	MEASURE(global, 12, 1, 64);
	MEASURE(global, 4, 2, 64);
	MEASURE(global, 8, 2, 64);
	MEASURE(global, 2, 4, 64);
	MEASURE(global, 4, 4, 64);
	MEASURE(global, 4, 1, 128);
	MEASURE(global, 8, 1, 128);
	MEASURE(global, 16, 1, 128);
	MEASURE(global, 4, 4, 128);
	MEASURE(shared, 4, 1, 64);
	MEASURE(shared, 8, 1, 64);
	MEASURE(shared, 12, 1, 64);
	MEASURE(shared, 4, 4, 64);
	return cudaGetLastError() != cudaSuccess;
}
