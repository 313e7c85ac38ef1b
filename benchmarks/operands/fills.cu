/*
 * What lines that come into the L1 cost beside loads from shared memory: in each trip a warp loads from 1 to 32 lines that the L2 holds, or that the L1 does, and from shared memory 16 bytes a lane so many times, which takes four cycles of
 * the data banks each. Spread: each line in all its sectors as far as there are lanes; else in as few as hold them. Prints CSV, cycles of the SM for a trip of a warp, the median of 5 launches on 33 SMs with 32 warps each:
 * benchmarks/measured/fills-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define SMS 33
#define THREADS 1024
#define TRIPS 256
#define LINE 32 /* words */
#define NEAR_LINES 256
#define FAR_LINES 4096

template <int LINES, bool SPREAD, int READS>
static __global__ void __launch_bounds__(THREADS) fill(const float *memory, unsigned mask, float *sink, long long *cycles)
{
	__shared__ float4 tile[THREADS];
	const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const unsigned own = LINES == 0 ? 0 : SPREAD ? lane % (LINES ? LINES : 1) : lane / (32 / (LINES ? LINES : 1));
	const float *set = memory + (size_t)blockIdx.x * FAR_LINES * LINE + lane;
	float sum = 0, next = 0;
	tile[threadIdx.x] = make_float4(1, 2, 3, threadIdx.x);
	__syncthreads();
	long long begin = clock64();
	unsigned line = warp * (LINES ? LINES : 1);
#pragma unroll 1
	for (int t = 0; t < TRIPS; t++) {
		float value = 0;
		if (LINES)
			asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(set + (size_t)((line + own) & mask) * LINE) : "memory");
#pragma unroll
		for (int r = 0; r < READS; r++) {
			float4 got;
			unsigned place = (unsigned)__cvta_generic_to_shared(&tile[(threadIdx.x + 32 * r) % THREADS]);
			asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(got.x), "=f"(got.y), "=f"(got.z), "=f"(got.w) : "r"(place) : "memory");
			sum += got.x;
		}
		sum += next;
		next = value;
		line += 32 * (LINES ? LINES : 1);
	}
	sum += next;
	__syncthreads();
	if (threadIdx.x == 0)
		cycles[blockIdx.x] = clock64() - begin;
	if (sum == 12345.f)
		*sink = sum;
}

static float *memory, *sink;
static long long *cycles;

template <int LINES, bool SPREAD, int READS> static void measure(bool near)
{
	std::vector<double> times;
	for (int round = 0; round < 6; round++) {
		long long took[SMS];
		fill<LINES, SPREAD, READS><<<SMS, THREADS>>>(memory, near ? NEAR_LINES - 1 : FAR_LINES - 1, sink, cycles);
		cudaMemcpy(took, cycles, sizeof took, cudaMemcpyDeviceToHost);
		std::sort(took, took + SMS);
		if (round)
			times.push_back((double)took[SMS / 2] / (TRIPS * (THREADS / 32)));
	}
	std::sort(times.begin(), times.end());
	printf("%s,%d,%s,%d,%.3f\n", near ? "L1" : "L2", LINES, SPREAD ? "spread" : "dense", READS, times[2]);
}

template <int LINES, bool SPREAD> static void measure_reads()
{
	for (int near = 0; near < (LINES ? 2 : 1); near++) {
		measure<LINES, SPREAD, 0>(near);
		measure<LINES, SPREAD, 1>(near);
		measure<LINES, SPREAD, 2>(near);
		measure<LINES, SPREAD, 4>(near);
		measure<LINES, SPREAD, 8>(near);
		measure<LINES, SPREAD, 16>(near);
	}
}

int main()
{
	cudaMalloc(&memory, (size_t)SMS * FAR_LINES * LINE * sizeof *memory + 4096);
	cudaMalloc(&sink, sizeof *sink);
	cudaMalloc(&cycles, SMS * sizeof *cycles);
	cudaMemset(memory, 0, (size_t)SMS * FAR_LINES * LINE * sizeof *memory + 4096);
	printf("from,lines,lanes,reads,cycles\n");
	measure_reads<0, false>();
	measure_reads<1, true>();
	measure_reads<2, true>();
	measure_reads<2, false>();
	measure_reads<4, true>();
	measure_reads<4, false>();
	measure_reads<8, true>();
	measure_reads<8, false>();
	measure_reads<16, true>();
	measure_reads<16, false>();
	measure_reads<32, true>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
