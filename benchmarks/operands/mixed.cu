/*
 * Loads that hit, special functions and shuffles in one loop: what each takes of the queue that they share, and what a load takes whose lanes read the same. Rounds of eight groups, each of so many
 * loads (of WORDS words, neighbouring lanes in groups of ALIKE at one place), special functions and multiplications. Prints CSV: microseconds, the least of 5 launches:
 * benchmarks/measured/mixed-h200.csv.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define GROUPS 8
#define ROUNDS 512

enum { GLOBAL, SHARED, SHUFFLE };

template <int WORDS> static __device__ void load(unsigned *word, const unsigned *place, int number)
{
	if (WORDS == 1)
		asm volatile("ld.global.u32 %0,[%1];" : "=r"(word[0]) : "l"(place + number * 32));
	else if (WORDS == 2)
		asm volatile("ld.global.v2.u32 {%0,%1},[%2];" : "=r"(word[0]), "=r"(word[1]) : "l"(place + number * 32));
	else
		asm volatile("ld.global.v4.u32 {%0,%1,%2,%3},[%4];" : "=r"(word[0]), "=r"(word[1]), "=r"(word[2]), "=r"(word[3]) : "l"(place + number * 32));
}

template <int KIND, int LOADS, int WORDS, int ALIKE, int SPECIALS, int PRODUCTS> static __global__ void __launch_bounds__(1024) mixed(const unsigned *in, float *out, int rounds, int step)
{
	__shared__ unsigned near[4096];
	const unsigned *place = in + threadIdx.x % 32 / ALIKE * WORDS;
	float special[4] = {0.1f, 0.2f, 0.3f, 0.4f}, product[4] = {1.1f, 1.2f, 1.3f, 1.4f};
	unsigned sum = threadIdx.x;
	near[threadIdx.x] = threadIdx.x;
	__syncthreads();
	unsigned at = (unsigned)__cvta_generic_to_shared(near) + threadIdx.x % 32 / ALIKE * 4 * WORDS;
	for (int r = 0; r < rounds; r++, place += step, at += step)
#pragma unroll
		for (int g = 0; g < GROUPS; g++) {
			unsigned word[LOADS > 0 ? LOADS : 1][4];
#pragma unroll
			for (int l = 0; l < LOADS; l++)
				if (KIND == GLOBAL)
					load<WORDS>(word[l], place, g * LOADS + l);
				else if (KIND == SHARED)
					asm volatile("ld.shared.u32 %0,[%1];" : "=r"(word[l][0]) : "r"(at + (g * LOADS + l) * 128));
				else
					asm volatile("shfl.sync.bfly.b32 %0,%1,1,31,0xffffffff;" : "=r"(word[l][0]) : "r"(sum));
#pragma unroll
			for (int s = 0; s < SPECIALS; s++)
				asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(special[s % 4]));
#pragma unroll
			for (int p = 0; p < PRODUCTS; p++)
				asm volatile("mul.f32 %0,%0,%0;" : "+f"(product[p % 4]));
#pragma unroll
			for (int l = 0; l < LOADS; l++)
				for (int w = 0; w < (KIND == GLOBAL ? WORDS : 1); w++)
					sum ^= word[l][w];
		}
	out[blockIdx.x * blockDim.x + threadIdx.x] = special[0] + special[1] + special[2] + special[3] + product[0] + product[1] + product[2] + product[3] + (float)sum;
}

int main()
{
	unsigned *in;
	float *out;
	cudaEvent_t from, to;
	cudaMalloc(&in, 1 << 20);
	cudaMemset(in, 0, 1 << 20);
	cudaMalloc(&out, 1 << 22);
	cudaEventCreate(&from);
	cudaEventCreate(&to);
	printf("kind,loads,words,alike,specials,products,warps,us\n");
#define RUN(KIND, LOADS, WORDS, ALIKE, SPECIALS, PRODUCTS, WARPS)                                                                                   \
	{                                                                                                                                           \
		float least = 1e9f, time;                                                                                                           \
		for (int i = 0; i < 5; i++) {                                                                                                       \
			cudaEventRecord(from);                                                                                                      \
			mixed<KIND, LOADS, WORDS, ALIKE, SPECIALS, PRODUCTS><<<132, WARPS * 32>>>(in, out, ROUNDS, 0);                                  \
			cudaEventRecord(to);                                                                                                        \
			cudaEventSynchronize(to);                                                                                                   \
			cudaEventElapsedTime(&time, from, to);                                                                                      \
			least = time < least ? time : least;                                                                                        \
		}                                                                                                                                   \
		printf("%d,%d,%d,%d,%d,%d,%d,%.2f\n", KIND, LOADS, WORDS, ALIKE, SPECIALS, PRODUCTS, WARPS, least * 1e3);                             \
	}
#define WIDTH(WORDS) RUN(GLOBAL, 4, WORDS, 1, 0, 0, 32) RUN(GLOBAL, 4, WORDS, 2, 0, 0, 32) RUN(GLOBAL, 4, WORDS, 4, 0, 0, 32) RUN(GLOBAL, 4, WORDS, 8, 0, 0, 32) RUN(GLOBAL, 4, WORDS, 16, 0, 0, 32) RUN(GLOBAL, 4, WORDS, 32, 0, 0, 32) RUN(GLOBAL, 4, WORDS, 32, 0, 0, 16) RUN(GLOBAL, 4, WORDS, 32, 0, 0, 8)
	WIDTH(1)
	WIDTH(2)
	WIDTH(4)
#define MIX(KIND, LOADS, SPECIALS, PRODUCTS) RUN(KIND, LOADS, 1, 32, SPECIALS, PRODUCTS, 32) RUN(KIND, LOADS, 1, 32, SPECIALS, PRODUCTS, 8)
	MIX(GLOBAL, 0, 2, 0)
	MIX(GLOBAL, 0, 2, 8)
	MIX(GLOBAL, 4, 0, 8)
	MIX(GLOBAL, 4, 1, 0)
	MIX(GLOBAL, 4, 1, 8)
	MIX(GLOBAL, 4, 2, 0)
	MIX(GLOBAL, 4, 2, 8)
	MIX(GLOBAL, 4, 3, 0)
	MIX(GLOBAL, 2, 2, 0)
	MIX(GLOBAL, 2, 2, 8)
	MIX(GLOBAL, 1, 2, 0)
	MIX(GLOBAL, 1, 2, 8)
	MIX(GLOBAL, 1, 2, 12)
	MIX(GLOBAL, 2, 4, 8)
	MIX(GLOBAL, 8, 2, 8)
	MIX(SHARED, 4, 0, 8)
	MIX(SHARED, 4, 2, 0)
	MIX(SHARED, 4, 2, 8)
	MIX(SHARED, 2, 2, 8)
	MIX(SHARED, 1, 2, 8)
	MIX(SHUFFLE, 4, 0, 8)
	MIX(SHUFFLE, 4, 2, 0)
	MIX(SHUFFLE, 4, 2, 8)
	MIX(SHUFFLE, 2, 2, 8)
	RUN(GLOBAL, 1, 4, 32, 2, 8, 32)
	RUN(GLOBAL, 1, 4, 32, 2, 8, 16)
	RUN(GLOBAL, 1, 4, 32, 2, 8, 8)
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
