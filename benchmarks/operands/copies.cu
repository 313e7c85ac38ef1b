/*
 * Warps that load the words of records and store them: each store as soon as its own word is there (`own`), or all once all words are (`all`). How many of the stores become one:
 *
 *     ./counted.py --kernel copy ./copies >copies-h200.csv
 */
#include <cstdio>
#include <cuda_runtime.h>

#define STORE(address, value) asm volatile("st.global.u32 [%0],%1;" ::"l"(address), "r"(value) : "memory")
#define LOAD(value, address) asm volatile("ld.global.u32 %0,[%1];" : "=r"(value) : "l"(address) : "memory")
#define SMS 132

template <int WORDS, bool OWN> static __global__ void __launch_bounds__(1024) copy(const char *source, char *target)
{
	unsigned value[WORDS], sum = 0;
	size_t at = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * WORDS * 4;
#pragma unroll
	for (int k = 0; k < WORDS; k++)
		LOAD(value[k], source + at + k * 4);
#pragma unroll
	for (int k = 0; k < WORDS; k++)
		sum += value[k];
#pragma unroll
	for (int k = 0; k < WORDS; k++)
		STORE(target + at + k * 4, OWN ? value[k] : sum);
}

static char *source, *target;

template <int WORDS> static void measure(int blocks, int threads)
{
	copy<WORDS, true><<<blocks, threads>>>(source, target);
	printf("own,%d,%d,%d\n", WORDS, blocks, threads);
	copy<WORDS, false><<<blocks, threads>>>(source, target);
	printf("all,%d,%d,%d\n", WORDS, blocks, threads);
}

template <int WORDS> static void measure_words()
{
	for (int blocks : {1, SMS})
		for (int warps : {1, 2, 4, 8, 16, 32})
			measure<WORDS>(blocks, warps * 32);
	for (int blocks : {2, 4, 8, 16, 64, 192})
		measure<WORDS>(SMS * blocks, 256);
}

int main()
{
	size_t bytes = (size_t)512 << 20;
	cudaMalloc(&source, bytes);
	cudaMalloc(&target, bytes);
	cudaMemset(source, 0, bytes);
	cudaMemset(target, 0, bytes);
	printf("kind,words,blocks,threads\n");
	measure_words<2>();
	measure_words<4>();
	measure_words<5>();
	measure_words<8>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
