/*
 * What accesses cost whose lanes are all switched off: sums of pairs in shared memory by those lanes of each warp that are below a number, two loads and a store each, where ptxas does not branch, and a
 * barrier after each. Prints CSV, cycles of the SM for each warp's sum: benchmarks/measured/off-h200.csv.
 */
#include <cstdio>
#include <cuda_runtime.h>
#define ROUNDS 256
#define SUMS 8
static __global__ void __launch_bounds__(1024) off(unsigned lanes, float *sink, long long *cycles)
{
	__shared__ float part[4096];
	for (int k = 0; k < 4; k++)
		part[threadIdx.x + 1024 * k] = 0;
	unsigned lane = threadIdx.x % 32;
	__syncthreads();
	long long start = clock64();
#pragma unroll 1
	for (int r = 0; r < ROUNDS; r++)
#pragma unroll
		for (int k = 0; k < SUMS; k++) {
			if (lane < lanes)
				part[threadIdx.x] += part[threadIdx.x + 64 * (k + 1)];
			__syncthreads();
		}
	__syncthreads();
	long long end = clock64();
	sink[threadIdx.x] = part[threadIdx.x];
	if (threadIdx.x == 0)
		*cycles = end - start;
}
static float *sink;
static long long *cycles;
static void all()
{
	for (int warps : {1, 4, 16, 32})
		for (int lanes : {0, 1, 32}) {
			long long c;
			for (int i = 0; i < 3; i++)
				off<<<1, warps * 32>>>(lanes, sink, cycles);
			cudaMemcpy(&c, cycles, 8, cudaMemcpyDeviceToHost);
			printf("%d,%d,%.2f\n", warps, lanes, (double)c / ROUNDS / SUMS / warps);
		}
}
int main()
{
	cudaMalloc(&sink, 1 << 20);
	cudaMalloc(&cycles, 8);
	printf("warps,lanes,cycles\n");
	all();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
