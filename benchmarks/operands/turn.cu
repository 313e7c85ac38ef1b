/*
 * What passes between the end of a block and the first instruction of the next one in its place: blocks that wait a given number of cycles, as many at a time on an SM as shared memory allows.
 * Once more with a store of each thread before it ends. Prints CSV, cycles of a place beyond those that its blocks wait, the median of 7 launches: benchmarks/measured/turn-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define CYCLES 4000
#define GENERATIONS 200

static __global__ void wait_cycles(unsigned *sink, unsigned cycles, bool store)
{
	extern __shared__ unsigned room[];
	unsigned start = clock(), now = start;
	while (now - start < cycles)
		now = clock();
	if (store)
		sink[blockIdx.x * (size_t)blockDim.x + threadIdx.x] = now;
	if (cycles == 0)
		sink[threadIdx.x] = room[threadIdx.x];
}

int main()
{
	int sms, most;
	unsigned *sink;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
	cudaMalloc(&sink, (size_t)2 << 30);
	cudaFuncSetAttribute(wait_cycles, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024);
	printf("threads,blocks,wait,stores,cycles\n");
	int rate;
	cudaDeviceGetAttribute(&rate, cudaDevAttrClockRate, 0);
	for (int threads : {32, 64, 128, 256, 512, 1024})
		for (int blocks : {1, 2, 4, 8, 16, 32})
			for (int store = 0; store < 2 && blocks * threads <= 2048; store++) {
				int shared = std::min((most / blocks - 1024) / 128 * 128, 227 * 1024);
				std::vector<double> times;
				cudaEvent_t start, end;
				cudaEventCreate(&start);
				cudaEventCreate(&end);
				double both[2];
				for (int part = 0; part < 2; part++) {
					times.clear();
					for (int i = 0; i < 7; i++) {
						float milliseconds;
						cudaEventRecord(start);
						wait_cycles<<<sms * blocks * GENERATIONS *(part + 1), threads, shared>>>(sink, CYCLES, store);
						cudaEventRecord(end);
						cudaEventSynchronize(end);
						cudaEventElapsedTime(&milliseconds, start, end);
						times.push_back(milliseconds);
					}
					std::sort(times.begin(), times.end());
					both[part] = times[3];
				}
				printf("%d,%d,%d,%d,%.1f\n", threads, blocks, CYCLES, store,
				       (both[1] - both[0]) * rate / GENERATIONS - CYCLES);
			}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
