/*
 * DRAM's rate where four words are written by each thread, and one is read by the threads of every so many warps: between all that is moved being written, and a fifth of it being read. Prints CSV, seconds of the median of
 * 11 launches, each after a kernel that overwrites the L2: benchmarks/measured/seldom-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 256
#define WARP 32
#define WRITTEN 4
#define MOST_BYTES ((size_t)1 << 29)
#define FLUSH_BYTES ((size_t)128 << 20)

static __device__ float sum_of(float v)
{
	return v;
}
static __device__ float sum_of(float4 v)
{
	return v.x + v.y + v.z + v.w;
}
static __device__ void fill(float *place, float v)
{
	*place = v;
}
static __device__ void fill(float4 *place, float v)
{
	*place = make_float4(v, v, v, v);
}

/* every 0: nothing is read. */
template <class word> static __global__ void __launch_bounds__(BLOCK) write(const word *from, word *to, unsigned n, unsigned every)
{
	unsigned i = blockIdx.x * BLOCK + threadIdx.x;
	float sum = 1;
	if (every && i / WARP % every == 0)
		sum += sum_of(from[i]);
	for (int m = 0; m < WRITTEN; m++)
		fill(to + (size_t)m * n + i, sum);
}

static void *from, *to, *flush;

template <class word> static void measure(size_t bytes, unsigned every)
{
	unsigned n = (unsigned)(bytes / sizeof(word) / WRITTEN);
	std::vector<float> times;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < 12; i++) {
		float milliseconds;
		cudaMemsetAsync(flush, i, FLUSH_BYTES);
		cudaEventRecord(start);
		write<word><<<n / BLOCK, BLOCK>>>((const word *)from, (word *)to, n, every);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		if (i)
			times.push_back(milliseconds);
	}
	std::sort(times.begin(), times.end());
	printf("%zu,%zu,%u,%.4g\n", sizeof(word), bytes, every, times[times.size() / 2] * 1e-3);
}

int main()
{
	cudaMalloc(&from, MOST_BYTES);
	cudaMalloc(&to, MOST_BYTES);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMemset(from, 0, MOST_BYTES);
	cudaMemset(to, 0, MOST_BYTES);
	printf("bytes,written,every,seconds\n");
	for (size_t bytes = (size_t)32 << 20; bytes <= MOST_BYTES; bytes *= 4)
		for (unsigned every : {0, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1}) {
			measure<float>(bytes, every);
			measure<float4>(bytes, every);
		}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
