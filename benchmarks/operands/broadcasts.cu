/*
 * Loops in which every thread reads a word of every record, as many are written: cycles that 16 records take, of the first warp that is done, the mean and the last one, by records of 4 to 128 bytes and blocks of 1 to 8 warps, of which an SM
 * has up to four; from DRAM, into an L2 that is full of lines that were read, or written. Prints CSV: benchmarks/measured/broadcasts-h200.csv (a tidied copy of the program that was run).
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define WARPS 8192
#define DRIVING (120 << 20) /* bytes that fill the L2 before */

template <int N> struct record {
	float a[N - 1];
	float c;
};
template <> struct record<1> {
	float c;
};

template <int N>
static __global__ void __launch_bounds__(256) walk(const record<N> *p, const float *x0, float *out, long long *starts, long long *ends, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	if (threadIdx.x % 32 == 0)
		starts[i / 32] = clock64();
	float y = x0[i];
	float sum = 0.0f;
	for (int j = 0; j < m; j++) {
		float d = 0.25f + 0.75f * p[j].c - y;
		sum += d * d + 0.5f;
	}
	out[i] = sum;
	if (threadIdx.x % 32 == 0)
		ends[i / 32] = clock64();
}

static __global__ void evict(uint4 *scratch, size_t count, bool dirty, unsigned value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		if (dirty)
			scratch[i] = make_uint4(value, value, value, value);
		else if (scratch[i].x == 12345)
			scratch[0].y = 1;
}

static char *memory;
static uint4 *scratch;
static float *sums, *x0;
static long long *starts, *ends;

template <int N> static void measure(int blocks, int warps, int m)
{
	std::vector<long long> start(WARPS), end(WARPS);
	for (bool dirty : {false, true}) {
		double mean = 0, most = 0, least = 1e30;
		for (int turn = 0; turn < 2; turn++) {
			for (int i = 0; i < 2; i++)
				evict<<<528, 512>>>(scratch, DRIVING / 16, dirty, m + i + turn);
			walk<N><<<blocks, warps * 32>>>((record<N> *)memory, x0, sums, starts, ends, m, blocks * warps * 32);
			cudaDeviceSynchronize();
		}
		cudaMemcpy(start.data(), starts, WARPS * sizeof start[0], cudaMemcpyDeviceToHost);
		cudaMemcpy(end.data(), ends, WARPS * sizeof end[0], cudaMemcpyDeviceToHost);
		for (int i = 0; i < blocks * warps; i++) {
			double cycles = (end[i] - start[i]) * 16.0 / m;
			mean += cycles / blocks / warps;
			most = std::max(most, cycles);
			least = std::min(least, cycles);
		}
		printf("%s,%d,%d,%d,%d,%.1f,%.1f,%.1f\n", dirty ? "dirty" : "clean", blocks, warps, N * 4, m, least, mean, most);
	}
}

int main()
{
	cudaMalloc(&memory, 64 << 20);
	cudaMemset(memory, 0, 64 << 20);
	cudaMalloc(&scratch, DRIVING);
	cudaMalloc(&sums, WARPS * 32 * sizeof *sums);
	cudaMalloc(&x0, WARPS * 32 * sizeof *x0);
	cudaMemset(x0, 0, WARPS * 32 * sizeof *x0);
	cudaMalloc(&starts, WARPS * sizeof *starts);
	cudaMalloc(&ends, WARPS * sizeof *ends);
	printf("l2,blocks,warps,record_bytes,records,least,mean,most\n");
	for (int m : {4096, 12288})
		for (int blocks : {1, 16, 132, 264, 528})
			for (int warps : {1, 4, 8}) {
				measure<1>(blocks, warps, m);
				measure<2>(blocks, warps, m);
				measure<4>(blocks, warps, m);
				measure<8>(blocks, warps, m);
				measure<32>(blocks, warps, m / 4);
			}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
