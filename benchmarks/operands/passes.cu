/*
 * Loops that come to the same words again and again, by blocks that are all there from the beginning: a table that every thread reads whole, rows of each thread's own, word by word or with the words of all rows side by side, and a table that stands
 * beside a stream. From the second time on the L1 has what it has room for.
 *
 *     nvcc -O3 -arch=sm_90 -o passes passes.cu; ./passes >passes.csv
 *
 * Prints CSV: what, words of the table or of a row, threads of a block, blocks, how often it is read, microseconds after 120 MiB were read, the least of five: benchmarks/measured/passes-h100.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

#define BLOCKS 132
#define MOST_WORDS (1 << 26)
#define FLUSHED (120 << 20)

/* Every thread reads all words. */
__global__ void __launch_bounds__(512) table(float *out, const float *p, int words, int times)
{
	float sum = 0.0f, x = threadIdx.x;
	for (int t = 0; t < times; t++)
		for (int w = 0; w < words; w++)
			sum += p[w] * x;
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/* Each thread reads the words of its own row, which lie side by side. */
__global__ void __launch_bounds__(512) rows(float *out, const float *p, int words, int times)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0.0f;
	for (int t = 0; t < times; t++)
		for (int w = 0; w < words; w++)
			sum = sum * 0.5f + p[i * words + w];
	out[i] = sum;
}

/* Likewise, but the first words of all rows lie side by side, then the second ones. */
__global__ void __launch_bounds__(512) columns(float *out, const float *p, int words, int times)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	float sum = 0.0f;
	for (int t = 0; t < times; t++)
		for (int w = 0; w < words; w++)
			sum = sum * 0.5f + p[w * n + i];
	out[i] = sum;
}

/* For each word of a stream all of the table. */
__global__ void __launch_bounds__(512) beside(float *out, const float *p, int words, int times, const float *stream)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
	float sum = 0.0f;
	for (int t = 0; t < times; t++) {
		float x = stream[t * n + i];
		for (int w = 0; w < words; w++)
			sum += p[w] * x;
	}
	out[i] = sum;
}

static float *out, *p, *stream;
static uint4 *flushed;

static __global__ void evict(uint4 *scratch, size_t count)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		if (scratch[i].x == 12345)
			scratch[0].y = 1;
}

template <typename LAUNCH> static void measure(const char *what, int words, int threads, int times, LAUNCH launch)
{
	cudaEvent_t begin, end;
	float least = 1e9f, ms;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int i = 0; i < 5; i++) {
		evict<<<528, 512>>>(flushed, FLUSHED / sizeof *flushed);
		evict<<<528, 512>>>(flushed, FLUSHED / sizeof *flushed);
		cudaEventRecord(begin);
		launch();
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&ms, begin, end);
		least = std::min(least, ms);
	}
	printf("%s,%d,%d,%d,%d,%.1f\n", what, words, threads, BLOCKS, times, least * 1e3);
}

#define MEASURE(kernel, words, threads, times, ...) \
	measure(#kernel, words, threads, times, [] { kernel<<<BLOCKS, threads>>>(out, p, words, times __VA_ARGS__); })
#define EACH(kernel, threads)                \
	MEASURE(kernel, 8, threads, 2048);   \
	MEASURE(kernel, 32, threads, 512);   \
	MEASURE(kernel, 96, threads, 128);   \
	MEASURE(kernel, 256, threads, 64)
#define TABLES(kernel, threads, ...)                          \
	MEASURE(kernel, 64, threads, 1024, __VA_ARGS__);      \
	MEASURE(kernel, 1024, threads, 64, __VA_ARGS__);      \
	MEASURE(kernel, 8192, threads, 16, __VA_ARGS__);      \
	MEASURE(kernel, 32768, threads, 8, __VA_ARGS__);      \
	MEASURE(kernel, 131072, threads, 2, __VA_ARGS__)
#define COMMA ,

int main()
{
	cudaMalloc(&out, BLOCKS * 512 * sizeof *out);
	cudaMalloc(&p, MOST_WORDS * sizeof *p);
	cudaMalloc(&stream, MOST_WORDS * sizeof *stream * 2);
	cudaMalloc(&flushed, FLUSHED);
	cudaMemset(p, 0, MOST_WORDS * sizeof *p);
	cudaMemset(stream, 0, MOST_WORDS * sizeof *stream * 2);
	cudaMemset(flushed, 0, FLUSHED);
	printf("what,words,threads,blocks,times,us\n");
	TABLES(table, 128);
	TABLES(table, 512);
	EACH(rows, 64);
	EACH(rows, 128);
	EACH(rows, 512);
	EACH(columns, 64);
	EACH(columns, 128);
	EACH(columns, 512);
	TABLES(beside, 128, COMMA stream);
	TABLES(beside, 512, COMMA stream);
	return 0;
}
