/*
 * Which stores become one on their way from an SM to the L2: run under Nsight Compute, which counts requests at the L2. benchmarks/measured/merging-h200.csv is what it printed.
 *
 * `row`: warps of one SM store the words of records one after the other, a store touching as many lines as a record has words. `again`: one warp stores to some lines and, some multiplications later, to
 * the same ones, behind so many stores of 32 lines each.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define STORE(address, value) asm volatile("st.global.u32 [%0],%1;" ::"l"(address), "r"(value) : "memory")
#define CLOCK(now) asm volatile("mov.u32 %0,%%clock;" : "=r"(now)::"memory")
#define ROUNDS 16
#define ROUND_BYTES 65536
#define LINE 128

static __device__ __forceinline__ void rest(unsigned cycles)
{
	unsigned start, now;
	CLOCK(start);
	do
		CLOCK(now);
	while (now - start < cycles);
}

/* Each thread stores STORED words of a record of `size`. */
template <int STORED> static __global__ void __launch_bounds__(1024) row(char *target, int size)
{
#pragma unroll 1
	for (int round = 0; round < ROUNDS; round++) {
		char *record = target + ((size_t)round * blockDim.x + threadIdx.x) * size * 4;
		__syncthreads();
		rest(4000);
		__syncthreads();
#pragma unroll
		for (int k = 0; k < STORED; k++)
			STORE(record + k * 4, k);
	}
}

/* The multiplications begin with a reading of the clock, so that no store is moved past them. */
template <int AHEAD, int STEPS> static __global__ void again(char *target, int lines)
{
	unsigned lane = threadIdx.x, value;
#pragma unroll 1
	for (int round = 0; round < ROUNDS; round++) {
		char *first = target + (size_t)round * ROUND_BYTES,
		     *place = first + ROUND_BYTES / 2 + lane * lines / 32 * LINE + lane % 16 * 8;
		rest(6000);
#pragma unroll
		for (int i = 0; i < AHEAD; i++)
			STORE(first + (i * 32 + lane) * LINE, 1);
		STORE(place, lane);
		CLOCK(value);
#pragma unroll
		for (int i = 0; i < STEPS; i++)
			asm volatile("mad.lo.u32 %0,%0,%0,3;" : "+r"(value)::"memory");
		STORE(place + 4, value);
	}
}

static char *target;

template <int STORED> static void measure_row(int warps, int size)
{
	if (size < STORED)
		return;
	row<STORED><<<1, warps * 32>>>(target, size);
	printf("row stored %d warps %d size %d\n", STORED, warps, size);
}

template <int AHEAD, int STEPS> static void measure_again(int lines)
{
	again<AHEAD, STEPS><<<1, 32>>>(target, lines);
	printf("again ahead %d steps %d lines %d\n", AHEAD, STEPS, lines);
}

template <int AHEAD> static void measure_steps(int lines)
{
	measure_again<AHEAD, 0>(lines);
	measure_again<AHEAD, 1>(lines);
	measure_again<AHEAD, 2>(lines);
	measure_again<AHEAD, 4>(lines);
	measure_again<AHEAD, 8>(lines);
	measure_again<AHEAD, 16>(lines);
	measure_again<AHEAD, 32>(lines);
	measure_again<AHEAD, 64>(lines);
	measure_again<AHEAD, 128>(lines);
}

int main()
{
	cudaMalloc(&target, (size_t)64 << 20);
	cudaMemset(target, 0, (size_t)64 << 20);
	for (int warps : {1, 2, 3, 4})
		for (int size : {2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 24, 28, 32}) {
			measure_row<2>(warps, size);
			measure_row<3>(warps, size);
			measure_row<8>(warps, size);
		}
	for (int lines : {1, 2, 4, 8, 16, 28}) {
		measure_steps<0>(lines);
		measure_steps<1>(lines);
		measure_steps<4>(lines);
	}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
