/*
 * How long a warp waits for DRAM where it needs several lines at once: it waits for the slowest. Each trip loads from lines that nothing has asked for before and begins when all of the trip
 * before have come. Prints CSV, cycles of a trip, the median of 5 launches, each after a kernel that overwrites the L2: benchmarks/measured/slowest-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define TRIPS 64
#define FLUSH_BYTES ((size_t)256 << 20)
#define MOST_BYTES ((size_t)16 << 30)

/* Lanes of a load lie `stride` bytes apart, loads `array` bytes, trips of a warp `step`. */
template <int LOADS>
static __global__ void wait_for_all(const char *memory, size_t step, size_t stride, size_t array, unsigned lanes, unsigned *sink,
                                    long long *clocks)
{
	size_t warp = (blockIdx.x * (size_t)blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	const char *place = memory + warp * TRIPS * step + lane * stride;
	unsigned sum = 0;
	__syncthreads();
	long long start = clock64();
	if (lane < lanes)
		for (int trip = 0; trip < TRIPS; trip++) {
			unsigned words[LOADS];
#pragma unroll
			for (int k = 0; k < LOADS; k++)
				asm volatile("ld.global.u32 %0,[%1];"
				             : "=r"(words[k])
				             : "l"(place + trip * step + k * array + (sum & 4)));
#pragma unroll
			for (int k = 0; k < LOADS; k++)
				sum += words[k];
		}
	long long end = clock64();
	sink[warp * 32 + lane] = sum;
	if (lane == 0)
		clocks[warp] = end - start;
}

static char *memory, *flush;
static unsigned *sink;
static long long *clocks;

template <int LOADS> static void measure(int blocks, int warps, size_t step, size_t stride, unsigned lanes)
{
	size_t array = MOST_BYTES / LOADS / 4096 * 4096 + 4096;
	if (LOADS > 1)
		array -= 8192;
	if ((size_t)blocks * warps * TRIPS * step > array)
		return;
	std::vector<long long> own((size_t)blocks * warps);
	std::vector<double> times;
	for (int i = 0; i < 5; i++) {
		double sum = 0;
		cudaMemset(flush, i, FLUSH_BYTES);
		wait_for_all<LOADS><<<blocks, warps * 32>>>(memory, step, stride, array, lanes, sink, clocks);
		cudaMemcpy(own.data(), clocks, own.size() * sizeof own[0], cudaMemcpyDeviceToHost);
		for (long long cycles : own)
			sum += cycles;
		times.push_back(sum / own.size() / TRIPS);
	}
	std::sort(times.begin(), times.end());
	printf("%d,%d,%d,%zu,%zu,%u,%.1f,%.1f,%.1f\n", LOADS, blocks, warps, step, stride, lanes, times[2], times.front(),
	       times.back());
}

static void measure_at(int blocks, int warps)
{
	for (size_t stride : {4, 8, 16, 32, 64, 128})
		measure<1>(blocks, warps, 4096, stride, 32);
	for (size_t stride : {256, 2048, 4096})
		for (unsigned lanes : {1, 2, 4, 8, 16, 32})
			measure<1>(blocks, warps, stride * 32, stride, lanes);
	for (size_t stride : {4, 8, 32}) {
		measure<2>(blocks, warps, 4096, stride, 32);
		measure<4>(blocks, warps, 4096, stride, 32);
		measure<8>(blocks, warps, 4096, stride, 32);
		measure<16>(blocks, warps, 4096, stride, 32);
	}
}

int main()
{
	cudaMalloc(&memory, MOST_BYTES + (1 << 20));
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&sink, 1 << 24);
	cudaMalloc(&clocks, 1 << 20);
	cudaMemset(memory, 0, MOST_BYTES);
	printf("loads,blocks,warps,step,stride,lanes,cycles,low,high\n");
	for (int blocks : {1, 33, 132})
		for (int warps : {1, 4, 8})
			measure_at(blocks, warps);
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
