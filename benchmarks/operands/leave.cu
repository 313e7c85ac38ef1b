/*
 * When a block is over that stores at its end: blocks of some warps, one at a time on each SM, wait until all earlier stores are gone, and then each warp stores so many times, a word to each of 32 lines, which
 * take the L2 some 110 cycles each and wait for them in the queues of the LSU. Prints CSV, cycles of a block beyond those that it waits, the median of 7 launches: benchmarks/measured/leave-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define STORE(address, value) asm volatile("st.global.u32 [%0],%1;" ::"l"(address), "r"(value) : "memory")
#define CYCLES 10000
#define GENERATIONS 50
#define LINE 128
#define ROOM (160 * 1024) /* of shared memory, so that one block fits an SM */

template <int STORES> static __global__ void __launch_bounds__(512) store_late(char *target)
{
	unsigned sm, start = clock(), now = start;
	asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
	char *place = target + ((size_t)sm * blockDim.x * STORES + threadIdx.x) * LINE;
	while (now - start < CYCLES)
		now = clock();
#pragma unroll
	for (int i = 0; i < STORES; i++)
		STORE(place + (size_t)i * blockDim.x * LINE, now);
}

static char *target;
static int sms;

template <int STORES> static double seconds(int threads, int generations)
{
	std::vector<float> times;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	cudaFuncSetAttribute(store_late<STORES>, cudaFuncAttributeMaxDynamicSharedMemorySize, ROOM);
	for (int i = 0; i < 7; i++) {
		float milliseconds;
		cudaEventRecord(start);
		store_late<STORES><<<sms * generations, threads, ROOM>>>(target);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		times.push_back(milliseconds);
	}
	std::sort(times.begin(), times.end());
	return times[3] * 1e-3;
}

template <int STORES> static void measure()
{
	int kilohertz;
	cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0);
	for (int warps : {1, 2, 4, 8, 16}) {
		double passed = seconds<STORES>(warps * 32, 2 * GENERATIONS) - seconds<STORES>(warps * 32, GENERATIONS);
		printf("%d,%d,%.1f\n", warps, STORES, passed * kilohertz * 1e3 / GENERATIONS - CYCLES);
	}
}

int main()
{
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&target, (size_t)sms * 512 * 8 * LINE);
	printf("warps,stores,cycles\n");
	measure<0>();
	measure<1>();
	measure<2>();
	measure<4>();
	measure<8>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
