/*
 * Whether schedulers get instructions as fast as they issue them where branches skip some: loops of 2 to 512 square roots in four chains, each of which branches past its slow path (10 of some 17
 * instructions issue), and of as many reciprocals, by 1 to 8 warps of a scheduler. Prints CSV, cycles of a scheduler for one of them by one of its warps, the least of all SMs in three runs:
 * benchmarks/measured/skips-h100.csv.
 */
#include <algorithm>
#include <climits>
#include <cstdio>
#include <cuda_runtime.h>
#define TRIPS 100
#define CHAINS 4
#define SMS 132

template <int N, bool ROOT> static __global__ void __launch_bounds__(1024) loop(float *out, long long *clocks)
{
	float f[CHAINS];
	for (int c = 0; c < CHAINS; c++)
		f[c] = 1.0f + (threadIdx.x + c) * 0.001f;
	__syncthreads();
	long long start = clock64();
#pragma unroll 1
	for (int r = 0; r < TRIPS; r++)
#pragma unroll
		for (int i = 0; i < N; i++)
			if (ROOT)
				asm volatile("sqrt.rn.f32 %0,%0;" : "+f"(f[i % CHAINS]));
			else
				asm volatile("rcp.rn.f32 %0,%0;" : "+f"(f[i % CHAINS]));
	__syncthreads();
	long long end = clock64();
	out[blockIdx.x * blockDim.x + threadIdx.x] = f[0] + f[1] + f[2] + f[3];
	if (threadIdx.x == 0)
		clocks[blockIdx.x] = end - start;
}

template <int N, bool ROOT> static void measure(float *out, long long *clocks)
{
	long long host[SMS];
	for (int warps = 1; warps <= 8; warps *= 2) {
		long long least = LLONG_MAX;
		for (int r = 0; r < 3; r++) {
			loop<N, ROOT><<<SMS, 4 * 32 * warps>>>(out, clocks);
			cudaMemcpy(host, clocks, sizeof host, cudaMemcpyDeviceToHost);
			least = std::min(least, *std::min_element(host, host + SMS));
		}
		printf("%s,%d,%d,%.3f\n", ROOT ? "root" : "reciprocal", N, warps, (double)least / TRIPS / N / warps);
	}
}

template <bool ROOT, int... N> static void all(float *out, long long *clocks)
{
	(measure<N, ROOT>(out, clocks), ...);
}

int main()
{
	float *out;
	long long *clocks;
	cudaMalloc(&out, SMS * 1024 * sizeof *out);
	cudaMalloc(&clocks, SMS * sizeof *clocks);
	printf("function,functions,warps,cycles\n");
	all<true, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512>(out, clocks);
	all<false, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 256, 512>(out, clocks);
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
