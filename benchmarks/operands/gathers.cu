/*
 * Single words at places without order, each thread one, of a set that nothing has asked for before: of all its words, or of the first of each line. Prints CSV, seconds of the median of 5
 * launches, each after a kernel that overwrites the L2: benchmarks/measured/gathers-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 256
#define MOST_BYTES ((size_t)1 << 30)
#define FLUSH_BYTES ((size_t)256 << 20)

/* The product's high bits: each place is come to before any is again. */
static __global__ void __launch_bounds__(BLOCK) gather(const float *set, unsigned mask, unsigned words, float *sink)
{
	unsigned i = blockIdx.x * BLOCK + threadIdx.x, place = (i * 2654435761u >> 5) & mask;
	float word = set[(size_t)place * words];
	if (word == 12345.f)
		sink[i] = word;
}

static float *set, *sink;
static char *flush;

static void measure(unsigned words, unsigned loads, size_t bytes)
{
	std::vector<float> times;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < 6; i++) {
		float milliseconds;
		cudaMemsetAsync(flush, i, FLUSH_BYTES);
		cudaEventRecord(start);
		gather<<<loads / BLOCK, BLOCK>>>(set, (unsigned)(bytes / sizeof(float) / words) - 1, words, sink);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		if (i)
			times.push_back(milliseconds);
	}
	std::sort(times.begin(), times.end());
	printf("%u,%u,%zu,%.4g,%.4g,%.4g\n", words * 4, loads, bytes, times[times.size() / 2] * 1e-3, times.front() * 1e-3,
	       times.back() * 1e-3);
}

int main()
{
	cudaMalloc(&set, MOST_BYTES);
	cudaMalloc(&sink, MOST_BYTES);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMemset(set, 0, MOST_BYTES);
	printf("apart,loads,set,seconds,low,high\n");
	for (unsigned words : {1u, 32u})
		for (unsigned loads = 1 << 19; loads <= 1 << 23; loads *= 4)
			for (size_t bytes = (size_t)1 << 20; bytes <= MOST_BYTES; bytes *= 2)
				measure(words, loads, bytes);
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
