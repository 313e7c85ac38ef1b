/*
 * How long one load takes by the parts of lines that it asks for: one sector, two of a granule of 64 bytes, one of each granule, a whole line; 2 and 4 whole lines side by side and far apart. One warp on each SM, one load after the other, each
 * of lines in an order without pattern that nothing has asked for before (from DRAM) or that the L2 holds. Prints CSV, cycles of a load in the mean over all SMs, the median of 5 launches, each after a kernel that overwrites the L2:
 * benchmarks/measured/parts-of-lines-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define SMS 132
#define TRIPS 512
#define GROUP 4 /* lines */
#define FLUSH_BYTES ((size_t)256 << 20)
#define FAR_GROUPS (1u << 20) /* 512 MiB */
#define NEAR_GROUPS (1u << 14) /* 8 MiB */

enum parts { SECTOR, GRANULE, BOTH, LINE, LINES_2, LINES_4, FAR_2, FAR_4, PARTS };
static const char *const names[PARTS] = {"sector", "granule", "both granules", "line", "2 lines", "4 lines", "2 lines far apart", "4 lines far apart"};

static __device__ float sum_of(float v)
{
	return v;
}
static __device__ float sum_of(float2 v)
{
	return v.x + v.y;
}
static __device__ float sum_of(float4 v)
{
	return v.x + v.y + v.z + v.w;
}

/* Lane `lane` loads a word at that place of the group of lines that comes next. */
template <class word, parts PART> static __global__ void load(const char *memory, unsigned groups, float *sink, long long *cycles)
{
	const unsigned lane = threadIdx.x;
	const unsigned far = PART == FAR_2 ? 2 : PART == FAR_4 ? 4 : 1;
	unsigned place = PART == SECTOR    ? lane % 8 * 4
	                 : PART == GRANULE ? lane % 16 * 4
	                 : PART == BOTH    ? lane % 2 * 64 + lane / 2 % 8 * 4
	                                   : lane * sizeof(word) % (128 * (PART == LINES_2 ? 2 : PART == LINES_4 ? 4 : 1));
	if (far > 1)
		place = lane % (32 / far) * sizeof(word);
	unsigned at = blockIdx.x * TRIPS * far + (far > 1 ? lane / (32 / far) : 0);
	float sum = 0;
	long long begin = clock64();
#pragma unroll 1
	for (int t = 0; t < TRIPS; t++) {
		unsigned group = (at + (sum == 12345.f)) * 2654435761u & (groups - 1);
		sum += sum_of(*(const word *)(memory + (size_t)group * (GROUP * 128) + place));
		at += far;
	}
	if (sum == 12345.f)
		*sink = sum;
	if (lane == 0)
		cycles[blockIdx.x] = clock64() - begin;
}

static char *memory;
static void *flush;
static float *sink;
static long long *cycles;

template <class word, parts PART> static void measure(int sms, bool near)
{
	std::vector<double> times;
	for (int round = 0; round < 6; round++) {
		std::vector<long long> took(sms);
		double sum = 0;
		if (!near)
			cudaMemsetAsync(flush, round, FLUSH_BYTES);
		load<word, PART><<<sms, 32>>>(memory, near ? NEAR_GROUPS : FAR_GROUPS, sink, cycles);
		cudaMemcpy(took.data(), cycles, sms * sizeof took[0], cudaMemcpyDeviceToHost);
		for (long long one : took)
			sum += one;
		if (round)
			times.push_back(sum / sms / TRIPS);
	}
	std::sort(times.begin(), times.end());
	printf("%s,%s,%d,%.1f,%.1f,%.1f\n", names[PART], near ? "L2" : "DRAM", sms, times[2], times.front(), times.back());
}

int main()
{
	cudaMalloc(&memory, (size_t)FAR_GROUPS * GROUP * 128);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&sink, sizeof *sink);
	cudaMalloc(&cycles, SMS * sizeof *cycles);
	cudaMemset(memory, 0, (size_t)FAR_GROUPS * GROUP * 128);
	printf("parts,from,sms,cycles,low,high\n");
	for (int near = 0; near < 2; near++)
		for (int sms : {1, 12, SMS}) {
			measure<float, SECTOR>(sms, near);
			measure<float, GRANULE>(sms, near);
			measure<float, BOTH>(sms, near);
			measure<float, LINE>(sms, near);
			measure<float2, LINES_2>(sms, near);
			measure<float4, LINES_4>(sms, near);
			measure<float2, FAR_2>(sms, near);
			measure<float4, FAR_4>(sms, near);
		}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
