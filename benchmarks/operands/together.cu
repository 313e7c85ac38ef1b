/*
 * Walks of so many SMs over the same lines, a warp each, from DRAM: each trip loads so many words that lie so far apart, waits for all of them, and goes on. What a trip takes less than that of one SM alone: whichever SM is nearest to a
 * line asks for it first, and all others have it sooner. Prints CSV: benchmarks/measured/together-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define TRIPS 1024

template <int LOADS> static __global__ void __launch_bounds__(32) walk(const char *base, unsigned apart, long long *starts, long long *ends, unsigned *sums)
{
	unsigned value[LOADS], sum = 0;
	starts[blockIdx.x] = clock64();
#pragma unroll 1
	for (int trip = 0; trip < TRIPS; trip++) {
		const char *at = base;
#pragma unroll
		for (int k = 0; k < LOADS; k++, at += apart)
			asm volatile("ld.global.u32 %0,[%1];" : "=r"(value[k]) : "l"(at) : "memory");
		base = at;
#pragma unroll
		for (int k = 0; k < LOADS; k++)
			sum += value[k];
		base += sum;
	}
	sums[blockIdx.x * 32 + threadIdx.x] = sum;
	ends[blockIdx.x] = clock64();
}

static __global__ void evict(uint4 *scratch, size_t count, bool dirty, unsigned value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		if (dirty)
			scratch[i] = make_uint4(value, value, value, value);
		else if (scratch[i].x == 12345)
			scratch[0].y = 1;
}

static uint4 *scratch;
static char *memory;
static unsigned *sums;
static long long *starts, *ends;

template <int LOADS> static void measure(int sms, unsigned apart)
{
	for (const char *from : {"clean", "dirty", "l2"}) {
		std::vector<double> means;
		for (int turn = 0; turn < 4; turn++) {
			long long start[132], end[132];
			double mean = 0;
			for (int i = 0; i < 2 && *from != 'l'; i++)
				evict<<<528, 512>>>(scratch, (size_t)(120 << 20) / 16, *from == 'd', turn * 2 + i);
			walk<LOADS><<<sms, 32>>>(memory, apart, starts, ends, sums);
			cudaMemcpy(start, starts, sizeof start, cudaMemcpyDeviceToHost);
			cudaMemcpy(end, ends, sizeof end, cudaMemcpyDeviceToHost);
			for (int i = 0; i < sms; i++)
				mean += (double)(end[i] - start[i]) / sms / TRIPS;
			if (turn)
				means.push_back(mean);
		}
		std::sort(means.begin(), means.end());
		printf("%s,%d,%d,%u,%.1f\n", from, sms, LOADS, apart, means[means.size() / 2]);
	}
}

int main()
{
	cudaMalloc(&memory, 64 << 20);
	cudaMemset(memory, 0, 64 << 20);
	cudaMalloc(&scratch, 120 << 20);
	cudaMalloc(&sums, 132 * 32 * 4);
	cudaMalloc(&starts, 132 * 8);
	cudaMalloc(&ends, 132 * 8);
	printf("from,sms,loads,apart,cycles\n");
	for (int sms : {1, 2, 4, 8, 12, 16, 24, 32, 64, 132})
		for (unsigned apart : {64u, 128u, 1024u, 4096u}) {
			measure<1>(sms, apart);
			measure<2>(sms, apart);
			measure<4>(sms, apart);
			measure<8>(sms, apart);
		}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
