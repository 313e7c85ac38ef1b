/*
 * Loops around barriers by blocks of every size, one to sixteen of them on each SM. work 0: a barrier; 1: each warp stores a word to shared memory, a barrier, it loads another warp's, a barrier;
 * 2: the same with 24 multiplications that wait for each other. Prints CSV, cycles a trip: benchmarks/measured/barriers-h200.csv. Long launches less short ones, the median of seven.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
#define SMS 132
#define SHORT 500
#define LONG 2000
#define CLOCK_GHZ 1.98

template <int THREADS, int WORK>
static __global__ void __launch_bounds__(THREADS) meet(float *out, float c, int n)
{
	__shared__ float tile[THREADS];
	int t = threadIdx.x;
	float x = c * t;
#pragma unroll 1
	for (int r = 0; r < n; r++) {
		if (WORK) {
			tile[t] = x;
			__syncthreads();
			x = tile[t ^ (THREADS > 32 ? 32 : 1)] * c;
#pragma unroll
			for (int k = 0; k < 24 * (WORK - 1); k++)
				x = x * c + 0.5f;
		} else {
			x = x * c + 0.5f;
		}
		__syncthreads();
	}
	out[blockIdx.x * THREADS + t] = x;
}

static float *out;

template <int THREADS, int WORK> static float milliseconds(int blocks, int n)
{
	cudaEvent_t begin, end;
	float time;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	cudaEventRecord(begin);
	meet<THREADS, WORK><<<SMS * blocks, THREADS>>>(out, 0.999f, n);
	cudaEventRecord(end);
	cudaEventSynchronize(end);
	cudaEventElapsedTime(&time, begin, end);
	return time;
}

template <int THREADS, int WORK> static void measure()
{
	for (int blocks : {1, 2, 4, 8, 16}) {
		std::vector<double> times;
		for (int i = 0; i < 7 && THREADS * blocks <= 2048; i++)
			times.push_back(milliseconds<THREADS, WORK>(blocks, LONG) - milliseconds<THREADS, WORK>(blocks, SHORT));
		std::sort(times.begin(), times.end());
		if (!times.empty())
			printf("%d,%d,%d,%.1f\n", WORK, blocks, THREADS, times[3] * 1e6 / (LONG - SHORT) * CLOCK_GHZ);
	}
}

template <int THREADS> static void works()
{
	measure<THREADS, 0>();
	measure<THREADS, 1>();
	measure<THREADS, 2>();
}

int main()
{
	cudaMalloc(&out, sizeof *out * SMS * 2048);
	printf("work,blocks,threads,cycles\n");
	works<32>();
	works<64>();
	works<128>();
	works<256>();
	works<512>();
	works<1024>();
	return cudaDeviceSynchronize() != cudaSuccess;
}
