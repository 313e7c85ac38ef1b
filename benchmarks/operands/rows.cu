/*
 * Threads that each read words of their own run of records, lane by lane in other lines, and all SMs that read as many bytes in order, of 4 to 256 MB, where the L2 is full of what a kernel has written before, or of what one has
 * read. Prints CSV, microseconds between two events, the median of 11 launches: benchmarks/measured/rows-h200.csv. `rows counted` launches each once, for Nsight Compute.
 */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define SMS 132
#define SET_BYTES ((size_t)1 << 30)
#define FLUSH_BYTES ((size_t)256 << 20)

/* X(name, words of a record, words read, records of a run, from one run to the next in records) */
#define PATTERNS(X)                                                                                                                \
	X(in_order, 1, 1, 1, 1)                                                                                                    \
	X(run_32, 1, 1, 8, 8)                                                                                                      \
	X(run_64, 1, 1, 16, 16)                                                                                                    \
	X(run_128, 1, 1, 32, 32)                                                                                                   \
	X(run_512, 4, 1, 32, 32)                                                                                                   \
	X(run_1024, 4, 1, 64, 64)                                                                                                  \
	X(run_of_24, 6, 2, 4, 4)                                                                                                   \
	X(every_64, 16, 4, 1, 1)                                                                                                   \
	X(every_128, 32, 4, 1, 1)                                                                                                  \
	X(every_768, 192, 4, 1, 1)                                                                                                 \
	X(lines_768, 32, 32, 1, 6)

#define KERNEL(name, words, read, run, step)                                                                                       \
	__global__ void name(const float *memory, float *sink, int n)                                                              \
	{                                                                                                                          \
		int i = blockIdx.x * blockDim.x + threadIdx.x;                                                                     \
		if (i >= n)                                                                                                        \
			return;                                                                                                    \
		float all = 0;                                                                                                     \
		for (int r = 0; r < run; r++)                                                                                      \
			for (int w = 0; w < read; w++)                                                                             \
				all += memory[((size_t)i * step + r) * words + w * (words / read)];                                \
		sink[i] = all;                                                                                                     \
	}
PATTERNS(KERNEL)

/* Fills the L2 with lines that nothing has written. */
static __global__ void read_all(const float4 *from, size_t count, float *sink)
{
	float all = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (size_t)blockDim.x)
		all += from[i].x;
	if (all == 12345.f)
		*sink = all;
}

static float *memory, *sink;
static void *flush;

static void measure(const char *name, void (*kernel)(const float *, float *, int), int bytes_of_thread, int threads, size_t bytes,
                    bool written, bool counted)
{
	int n = (int)(bytes / bytes_of_thread), blocks = (n + threads - 1) / threads;
	std::vector<float> times;
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int round = 0; round < (counted ? 1 : 13); round++) {
		cudaMemsetAsync(flush, round, FLUSH_BYTES);
		if (!written)
			read_all<<<8 * SMS, 256>>>((const float4 *)flush, FLUSH_BYTES / sizeof(float4), sink);
		cudaEventRecord(begin);
		kernel<<<blocks, threads>>>(memory, sink, n);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		float ms;
		cudaEventElapsedTime(&ms, begin, end);
		if (round > 1)
			times.push_back(ms * 1000);
	}
	std::sort(times.begin(), times.end());
	printf("%s,%d,%d,%d,%s,%.2f\n", name, blocks, threads, n, written ? "written" : "read",
	       counted ? 0 : times[times.size() / 2]);
}

int main(int argc, char **argv)
{
	bool counted = argc > 1 && !strcmp(argv[1], "counted");
	cudaMalloc(&memory, SET_BYTES);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&sink, SET_BYTES);
	cudaMemset(memory, 0, SET_BYTES);
	for (int i = 0; i < 200; i++)
		read_all<<<8 * SMS, 256>>>((const float4 *)memory, SET_BYTES / sizeof(float4), sink);
	printf("kernel,blocks,threads,n,before,us\n");
	for (int written = 0; written < 2; written++)
		for (int threads : {32, 128})
			for (size_t megabytes : {4, 8, 16, 32, 64, 256}) {
#define MEASURE(name, words, read, run, step) measure(#name, name, words * 4 * step, threads, megabytes << 20, written, counted);
				PATTERNS(MEASURE)
			}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
