/*
 * Loads whose addresses multiplications to 64 bits make, as compilers write them for rows of an array: what each takes of a scheduler. All loads hit one line, so that nothing else is in the way.
 * Kinds: a multiplication, a load and a sum for each of 17 rows; the same rows at fixed distances, without multiplications.
 *
 *     nvcc -O3 -arch=sm_90 -o addresses addresses.cu; ./addresses >addresses.csv
 *
 * Prints CSV: kind, blocks, rounds of each warp, microseconds, cycles of a scheduler for one warp's round: benchmarks/measured/addresses-h100.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#define ROWS 17
#define EVENT 3.2 /* microseconds of an empty launch */

__device__ __forceinline__ float load(const float *p)
{
	float value;
	asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(p));
	return value;
}

template <bool FIXED> __global__ void __launch_bounds__(256) rows(const float *a, float *b, int n, int rounds)
{
	float all = 0;
#pragma unroll 1
	for (int r = 0; r < rounds; r++) {
		const float *row = a + threadIdx.x + r * n;
		float sum = 0;
#pragma unroll
		for (int k = 0; k < ROWS; k++, row += FIXED ? 0 : n)
			sum += 0.06f * load(row + (FIXED ? k * 32 : 0));
		all += sum;
	}
	if (all == 0.125f)
		b[threadIdx.x] = all;
}

template <bool FIXED> static void measure(const float *a, float *b, int blocks, int rounds)
{
	int sms, khz;
	cudaEvent_t begin, end;
	float least = 1e9f, ms;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0);
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int i = 0; i < 11; i++) {
		cudaEventRecord(begin);
		rows<FIXED><<<blocks, dim3(32, 8)>>>(a, b, 0, rounds);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&ms, begin, end);
		least = std::min(least, ms);
	}
	printf("%s,%d,%d,%.1f,%.2f\n", FIXED ? "fixed" : "multiplied", blocks, rounds, least * 1e3,
	       (least * 1e3 - EVENT) * khz / 1e3 / (2.0 * blocks / sms * rounds));
}

int main()
{
	float *a, *b;
	cudaMalloc(&a, 1 << 20);
	cudaMalloc(&b, 1 << 20);
	cudaMemset(a, 0, 1 << 20);
	printf("kind,blocks,rounds,us,cycles\n");
	for (int rounds = 1; rounds <= 16; rounds *= 2) {
		measure<false>(a, b, 65536, rounds);
		measure<true>(a, b, 65536, rounds);
	}
	measure<false>(a, b, 1056, 200);
	measure<true>(a, b, 1056, 200);
	return 0;
}
