/*
 * Additions to random words of 16 KiB beside loads and stores of records, a word at a time: what the slices of the L2 do at once. Each thread loads and stores 8 words, side by side as a record
 * or as 8 arrays, and adds to ADDS words of its own. Prints CSV, microseconds, the median of 7 launches, each after a kernel that overwrites the L2: benchmarks/measured/beside-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define FLUSH_BYTES ((size_t)256 << 20)
#define TIMES 7
#define WORDS 8
#define BINS 4096

enum { NONE, ARRAYS, RECORDS };

template <int WAY> static __device__ size_t place(unsigned i, unsigned n, int word)
{
	return WAY == ARRAYS ? (size_t)word * n + i : (size_t)i * WORDS + word;
}

template <int ADDS, int LOADS, int STORES, int REAL> static __global__ void __launch_bounds__(128) beside(const float *in, float *out, float *bins, unsigned n)
{
	unsigned i = blockIdx.x * 128 + threadIdx.x, seed = i * 747796405u + 2891336453u;
	float word[WORDS];
	for (int w = 0; w < WORDS; w++)
		word[w] = LOADS == NONE ? (float)w : in[place<LOADS>(i, n, w)];
	for (int a = 0; a < ADDS; a++) {
		seed = seed * 1664525u + 1013904223u;
		if (REAL)
			atomicAdd(bins + (seed >> 12) % BINS, word[a % WORDS]);
		else
			atomicAdd((unsigned *)bins + (seed >> 12) % BINS, 1u);
	}
	if (STORES != NONE)
		for (int w = 0; w < WORDS; w++)
			out[place<STORES>(i, n, w)] = word[w] + 1.0f;
	else if (word[0] + word[1] + word[2] + word[3] + word[4] + word[5] + word[6] + word[7] == 12345.0f)
		out[i] = word[0];
}

static char *flush;
static float *in, *out, *bins;

template <int ADDS, int LOADS, int STORES, int REAL> static void measure(unsigned n)
{
	cudaEvent_t from, to;
	std::vector<float> times;
	cudaEventCreate(&from);
	cudaEventCreate(&to);
	for (int i = 0; i < TIMES; i++) {
		float time;
		cudaMemset(flush, i, FLUSH_BYTES);
		cudaEventRecord(from);
		beside<ADDS, LOADS, STORES, REAL><<<n / 128, 128>>>(in, out, bins, n);
		cudaEventRecord(to);
		cudaEventSynchronize(to);
		cudaEventElapsedTime(&time, from, to);
		times.push_back(time * 1e3f);
	}
	std::sort(times.begin(), times.end());
	printf("%d,%d,%d,%d,%u,%.2f\n", ADDS, LOADS, STORES, REAL, n, times[TIMES / 2]);
	cudaEventDestroy(from);
	cudaEventDestroy(to);
}

template <int ADDS, int REAL> static void all(unsigned n)
{
	measure<ADDS, NONE, NONE, REAL>(n);
	measure<ADDS, ARRAYS, NONE, REAL>(n);
	measure<ADDS, RECORDS, NONE, REAL>(n);
	measure<ADDS, NONE, ARRAYS, REAL>(n);
	measure<ADDS, NONE, RECORDS, REAL>(n);
	measure<ADDS, ARRAYS, ARRAYS, REAL>(n);
	measure<ADDS, RECORDS, RECORDS, REAL>(n);
}

int main()
{
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&in, sizeof(float) * WORDS << 22);
	cudaMemset(in, 0, sizeof(float) * WORDS << 22);
	cudaMalloc(&out, sizeof(float) * WORDS << 22);
	cudaMalloc(&bins, sizeof(float) * BINS);
	printf("adds,loads,stores,real,n,us\n");
	for (unsigned n : {1u << 16, 1u << 19, 1u << 22}) {
		all<0, 1>(n);
		all<1, 1>(n);
		all<4, 1>(n);
		all<4, 0>(n);
	}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
