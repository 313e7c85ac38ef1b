/*
 * How long a trip of a loop takes in which each warp loads the words of its next 32 records and waits for them: records of 1 to 8 words in arrays or in tiles of 32, 1 to 64 warps on each SM, in the order of the records as loops over a grid
 * have them, or in one without pattern, where the L2 is full of what a kernel has overwritten before, or of what one has read. Prints CSV, cycles of a trip in the mean over all warps, from the 9th trip on, and gigabytes a second at that pace;
 * the median of 5 launches: benchmarks/measured/trips-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define SMS 132
#define FIRST 8
#define SET_BYTES ((size_t)1 << 30)
#define FLUSH_BYTES ((size_t)256 << 20)
#define GIGAHERTZ 1.98
#define ODD 2654435761u /* of that many groups, a power of two, its multiples are all, in another order */

template <int WORDS, bool TILES>
static __global__ void __launch_bounds__(1024) walk(const float *memory, unsigned groups, unsigned trips, unsigned odd, float *sink, long long *cycles)
{
	const unsigned warps = gridDim.x * blockDim.x / 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
	const size_t step = TILES ? 32 : (size_t)groups * 32;
	float all = 0;
	long long begin = 0;
#pragma unroll 1
	for (unsigned t = 0; t < trips; t++) {
		if (t == FIRST)
			begin = clock64();
		unsigned group = (t * warps + warp + (all == 12345.f)) * odd & (groups - 1);
		const float *place = memory + (TILES ? (size_t)group * 32 * WORDS : (size_t)group * 32) + lane;
#pragma unroll
		for (int w = 0; w < WORDS; w++)
			all += place[w * step];
	}
	if (all == 12345.f)
		*sink = all;
	if (lane == 0)
		cycles[warp] = clock64() - begin;
}

static float *memory, *sink;
static void *flush;
static long long *cycles;

/* Fills the L2 with lines that nothing has written. */
static __global__ void read_all(const float4 *from, size_t count, float *sink)
{
	float all = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (size_t)blockDim.x)
		all += from[i].x;
	if (all == 12345.f)
		*sink = all;
}

template <int WORDS, bool TILES> static void measure(int sms, int blocks, int threads, unsigned most, bool in_order, bool written)
{
	unsigned groups = 1u << 31 - __builtin_clz((unsigned)(SET_BYTES / (128 * WORDS)));
	unsigned warps = sms * blocks * threads / 32, trips = std::min(groups / warps, most);
	std::vector<double> times;
	for (int round = 0; round < 6; round++) {
		std::vector<long long> took(warps);
		double sum = 0;
		cudaMemsetAsync(flush, round, FLUSH_BYTES);
		if (!written)
			read_all<<<8 * SMS, 256>>>((const float4 *)flush, FLUSH_BYTES / sizeof(float4), sink);
		walk<WORDS, TILES><<<sms * blocks, threads>>>(memory, groups, trips, in_order ? 1 : ODD, sink, cycles);
		cudaMemcpy(took.data(), cycles, warps * sizeof took[0], cudaMemcpyDeviceToHost);
		for (long long one : took)
			sum += one;
		if (round)
			times.push_back(sum / warps / (trips - FIRST));
	}
	std::sort(times.begin(), times.end());
	printf("%s,%d,%d,%d,%d,%u,%s,%s,%.1f,%.0f\n", TILES ? "tiles" : "arrays", WORDS, sms, blocks, threads, trips, in_order ? "in order" : "without",
	       written ? "written" : "read", times[2], warps * 128.0 * WORDS / times[2] * GIGAHERTZ);
}

template <int WORDS, bool TILES> static void measure_all()
{
	for (int written = 0; written < 2; written++) {
		for (int threads : {32, 64, 96, 128, 192, 256, 512, 1024})
			measure<WORDS, TILES>(SMS, 1, threads, 400, true, written);
		for (int blocks : {2, 4, 8})
			measure<WORDS, TILES>(SMS, blocks, 256, 400, true, written);
		for (unsigned trips : {24, 50, 100, 200, 800, 1600})
			measure<WORDS, TILES>(SMS, 1, 256, trips, true, written);
		for (int sms : {1, 12, 33, 66})
			measure<WORDS, TILES>(sms, 1, 256, 400, true, written);
		for (int threads : {32, 64, 256, 1024})
			measure<WORDS, TILES>(SMS, 1, threads, 400, false, written);
	}
}

int main()
{
	cudaMalloc(&memory, SET_BYTES);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&sink, sizeof *sink);
	cudaMalloc(&cycles, SMS * 64 * sizeof *cycles);
	cudaMemset(memory, 0, SET_BYTES);
	for (int i = 0; i < 200; i++)
		read_all<<<8 * SMS, 256>>>((const float4 *)memory, SET_BYTES / sizeof(float4), sink);
	printf("members,words,SMs,blocks an SM,threads,trips,order,before,cycles,GB/s\n");
	measure_all<1, false>();
	measure_all<2, false>();
	measure_all<2, true>();
	measure_all<3, false>();
	measure_all<3, true>();
	measure_all<4, false>();
	measure_all<4, true>();
	measure_all<6, false>();
	measure_all<6, true>();
	measure_all<8, false>();
	measure_all<8, true>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
