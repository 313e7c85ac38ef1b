/*
 * What lines cost that lie apart: a member of records in tiles has a run of lines in each tile, and between the runs lie members that nothing asks for. A thread reads, writes, or reads and
 * writes one word, or four a block's width apart. Prints CSV, seconds of the median of 11 launches, each after a kernel that overwrites the L2: benchmarks/measured/holes-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 256
#define LINE_WORDS 32
#define MOST_BYTES ((size_t)4 << 30)
#define FLUSH_BYTES ((size_t)128 << 20)

enum mode { READ, WRITE, UPDATE, COPY, MODES };
static const char *const names[MODES] = {"read", "write", "update", "copy"};

/* Word i lies in the run i / (LINES * 32), and runs begin `period` lines apart. */
template <int LINES> static __device__ size_t place(size_t i, unsigned period)
{
	return i / (LINES * LINE_WORDS) * ((size_t)period * LINE_WORDS) + i % (LINES * LINE_WORDS);
}

template <int MODE, int LINES, int WORDS>
static __global__ void __launch_bounds__(BLOCK) use_runs(float *memory, float *other, size_t n, unsigned period)
{
	float sum[WORDS];
#pragma unroll
	for (int r = 0; r < WORDS; r++) {
		size_t i = (blockIdx.x * (size_t)WORDS + r) * BLOCK + threadIdx.x;
		sum[r] = MODE != WRITE && i < n ? memory[place<LINES>(i, period)] : 1;
	}
#pragma unroll
	for (int r = 0; r < WORDS; r++) {
		size_t i = (blockIdx.x * (size_t)WORDS + r) * BLOCK + threadIdx.x, at = place<LINES>(i, period);
		if ((MODE == WRITE || MODE == UPDATE) && i < n)
			memory[at] = sum[r] * 0.5f;
		if (MODE == COPY && i < n)
			other[at] = sum[r];
		if (MODE == READ && sum[r] == 12345.f)
			*other = sum[r];
	}
}

static float *memory, *flush;

template <int MODE, int LINES, int WORDS> static void measure(size_t bytes, unsigned period)
{
	size_t n = bytes / sizeof(float) / (MODE == COPY ? 2 : 1), span = n / (LINES * LINE_WORDS) * period * LINE_WORDS;
	if (span * sizeof(float) > MOST_BYTES / 2)
		return;
	std::vector<float> times;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < 12; i++) {
		float milliseconds;
		cudaMemsetAsync(flush, i, FLUSH_BYTES);
		cudaEventRecord(start);
		use_runs<MODE, LINES, WORDS><<<(unsigned)((n + BLOCK * WORDS - 1) / (BLOCK * WORDS)), BLOCK>>>(
			memory, memory + MOST_BYTES / 2 / sizeof(float), n, period);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		if (i)
			times.push_back(milliseconds);
	}
	cudaEventDestroy(start);
	cudaEventDestroy(end);
	std::sort(times.begin(), times.end());
	double seconds = times[times.size() / 2] * 1e-3;
	printf("%s,%d,%d,%u,%zu,%.5g,%.5g,%.5g,%.4g\n", names[MODE], WORDS, LINES, period, bytes, seconds, times.front() * 1e-3,
	       times.back() * 1e-3, bytes / seconds);
}

template <int MODE, int WORDS> static void measure_mode()
{
	static const unsigned periods[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 24, 32};
	for (size_t bytes = (size_t)4 << 20; bytes <= (size_t)256 << 20; bytes *= 2)
		for (unsigned period : periods) {
			measure<MODE, 1, WORDS>(bytes, period);
			if (period % 2 == 0)
				measure<MODE, 2, WORDS>(bytes, period);
			if (period % 4 == 0)
				measure<MODE, 4, WORDS>(bytes, period);
		}
}

int main()
{
	cudaMalloc(&memory, MOST_BYTES);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMemset(memory, 0, MOST_BYTES);
	printf("mode,words,lines,period,bytes,seconds,low,high,bytes/s\n");
	measure_mode<READ, 1>();
	measure_mode<READ, 4>();
	measure_mode<WRITE, 1>();
	measure_mode<WRITE, 4>();
	measure_mode<UPDATE, 1>();
	measure_mode<UPDATE, 4>();
	measure_mode<COPY, 1>();
	measure_mode<COPY, 4>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
