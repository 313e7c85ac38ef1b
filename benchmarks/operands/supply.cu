/*
 * Whether schedulers get instructions as fast as they issue them: loops of 64 to 4096 FFMA in two chains, of which one warp can issue every second cycle, by 1 to 8 warps of a scheduler.
 * Prints CSV, cycles a trip, the least of all SMs in three runs: benchmarks/measured/supply-h200.csv.
 */
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cuda_runtime.h>
#define TRIPS 200
#define SMS 132

template <int N> static __global__ void __launch_bounds__(1024) loop(float *out, long long *clocks)
{
	float x = threadIdx.x, y = x + 1;
	__syncthreads();
	long long start = clock64();
#pragma unroll 1
	for (int r = 0; r < TRIPS; r++)
#pragma unroll
		for (int i = 0; i < N / 2; i++) {
			asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(x));
			asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(y));
		}
	__syncthreads();
	long long end = clock64();
	out[blockIdx.x * blockDim.x + threadIdx.x] = x + y;
	if (threadIdx.x == 0)
		clocks[blockIdx.x] = end - start;
}

template <int N> static void measure(float *out, long long *clocks)
{
	long long host[SMS];
	for (int warps = 1; warps <= 8; warps++) {
		long long least = LLONG_MAX;
		for (int r = 0; r < 3; r++) {
			loop<N><<<SMS, 4 * 32 * warps>>>(out, clocks);
			cudaMemcpy(host, clocks, sizeof host, cudaMemcpyDeviceToHost);
			least = std::min(least, *std::min_element(host, host + SMS));
		}
		printf("%d,%d,%.1f\n", N, warps, (double)least / TRIPS);
	}
}

int main()
{
	float *out;
	long long *clocks;
	cudaMalloc(&out, SMS * 1024 * sizeof *out);
	cudaMalloc(&clocks, SMS * sizeof *clocks);
	printf("instructions,warps,cycles\n");
	measure<64>(out, clocks);
	measure<96>(out, clocks);
	measure<128>(out, clocks);
	measure<160>(out, clocks);
	measure<192>(out, clocks);
	measure<256>(out, clocks);
	measure<384>(out, clocks);
	measure<512>(out, clocks);
	measure<768>(out, clocks);
	measure<1024>(out, clocks);
	measure<1536>(out, clocks);
	measure<2048>(out, clocks);
	measure<4096>(out, clocks);
	return cudaDeviceSynchronize() != cudaSuccess;
}
