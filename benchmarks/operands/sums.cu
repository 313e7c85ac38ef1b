/*
 * A stream that each warp adds up, and one addition per warp to a word that all share: how much of either hides behind the other. Loops over n floats with a grid's stride; what a warp does
 * with its sum: WAY. Prints CSV, microseconds, the median of 7 launches, each after a kernel that overwrites the L2, and when blocks ended: benchmarks/measured/sums-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define FLUSH_BYTES ((size_t)256 << 20)
#define TIMES 7

enum { STORED, ADDED, COUNTED, ADDED_FIRST, ADDED_APART, ADDED_LINES };

static __device__ unsigned long long now()
{
	unsigned long long time;
	asm volatile("mov.u64 %0,%globaltimer;" : "=l"(time));
	return time;
}

template <int WAY, int TIMED> static __global__ void sum(const float *in, float *out, unsigned n, unsigned long long *ends)
{
	float total = 0;
	unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, warp = thread / 32;
	if (WAY == ADDED_FIRST && threadIdx.x % 32 == 0)
		atomicAdd(out, 1.0f);
	for (unsigned i = thread; i < n; i += gridDim.x * blockDim.x)
		total += in[i];
	for (int apart = 16; apart > 0; apart /= 2)
		total += __shfl_xor_sync(0xffffffff, total, apart);
	if (threadIdx.x % 32 == 0) {
		if (WAY == STORED || WAY == ADDED_FIRST)
			out[warp * 8 + 8] = total;
		else if (WAY == ADDED)
			atomicAdd(out, total);
		else if (WAY == COUNTED)
			atomicAdd((unsigned *)out, (unsigned)total + 1);
		else if (WAY == ADDED_APART)
			atomicAdd(out + warp * 8, total);
		else
			atomicAdd(out + warp % 64 * 32, total);
	}
	if (TIMED && threadIdx.x == 0)
		ends[blockIdx.x] = now();
}

static char *flush;
static float *in, *out;
static unsigned long long *ends;

template <int WAY> static void measure(unsigned n, int blocks)
{
	cudaEvent_t from, to;
	std::vector<float> times;
	cudaEventCreate(&from);
	cudaEventCreate(&to);
	for (int i = 0; i < TIMES; i++) {
		float time;
		cudaMemset(flush, i, FLUSH_BYTES);
		cudaEventRecord(from);
		sum<WAY, 0><<<blocks, 256>>>(in, out, n, ends);
		cudaEventRecord(to);
		cudaEventSynchronize(to);
		cudaEventElapsedTime(&time, from, to);
		times.push_back(time * 1e3f);
	}
	std::sort(times.begin(), times.end());
	printf("%d,%u,%d,%.2f\n", WAY, n, blocks, times[TIMES / 2]);
	cudaEventDestroy(from);
	cudaEventDestroy(to);
}

template <int WAY> static void follow(unsigned n, int blocks)
{
	std::vector<unsigned long long> own(blocks);
	for (int i = 0; i < 2; i++) {
		cudaMemset(flush, i, FLUSH_BYTES);
		sum<WAY, 1><<<blocks, 256>>>(in, out, n, ends);
		cudaMemcpy(own.data(), ends, blocks * sizeof own[0], cudaMemcpyDeviceToHost);
	}
	std::sort(own.begin(), own.end());
	fprintf(stderr, "%d,%u,%d:", WAY, n, blocks);
	for (int share : {1, 2, 5, 8, 12, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 100})
		fprintf(stderr, " %d%% %.1f", share, (own[std::min((size_t)blocks - 1, (size_t)blocks * share / 100)] - own[0]) * 1e-3);
	fprintf(stderr, "\n");
}

int main()
{
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&in, sizeof(float) << 26);
	cudaMemset(in, 0, sizeof(float) << 26);
	cudaMalloc(&out, sizeof(float) << 26);
	cudaMalloc(&ends, 65536 * sizeof *ends);
	printf("way,n,blocks,us\n");
	for (unsigned n : {0u, 1u << 24, 1u << 26})
		for (int blocks : {1024, 2048, 4096, 8192, 16384, 32768, 65536}) {
			measure<STORED>(n, blocks);
			measure<ADDED>(n, blocks);
			measure<COUNTED>(n, blocks);
			measure<ADDED_FIRST>(n, blocks);
			measure<ADDED_APART>(n, blocks);
			measure<ADDED_LINES>(n, blocks);
		}
	follow<STORED>(1u << 26, 8192);
	follow<ADDED>(1u << 26, 8192);
	follow<ADDED>(1u << 26, 16384);
	follow<ADDED>(1u << 26, 65536);
	follow<ADDED>(0, 16384);
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
