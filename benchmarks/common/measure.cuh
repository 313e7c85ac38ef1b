/* How the kernels of this folder are measured: five arrays of numbers from 1 to 2, the median of 5 launches, each after a kernel that overwrites the L2. */
#ifndef COALESCE_BENCHMARKS_COMMON_MEASURE_CUH
#define COALESCE_BENCHMARKS_COMMON_MEASURE_CUH

#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define FLUSH_BYTES ((size_t)256 << 20)
#define ROUNDS 6

static float4 *flush;
static __global__ void overwrite(float4 *words, size_t count, float value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		words[i] = make_float4(value, value, value, value);
}

static __global__ void numbers(float *words, size_t count)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		words[i] = 1 + (i * 2654435761u % 4096) / 4096.f;
}

static struct {
	float *words;
	size_t count;
} arrays[5];

static float *array_of(int number, size_t bytes)
{
	cudaMalloc(&arrays[number].words, bytes);
	arrays[number].count = bytes / sizeof(float);
	return arrays[number].words;
}

static cudaEvent_t begin, end;

/* A kernel finds numbers from 1 to 2 in all arrays, whatever others left there. */
static void measure_begin(int round)
{
	for (int i = 0; i < 5 && round == 0; i++)
		numbers<<<1024, 256>>>(arrays[i].words, arrays[i].count);
	overwrite<<<1024, 256>>>(flush, FLUSH_BYTES / sizeof(float4), (float)round);
	cudaEventRecord(begin);
}

static void measure_end(int round, const char *name)
{
	static std::vector<float> times;
	float milliseconds;
	cudaEventRecord(end);
	cudaEventSynchronize(end);
	cudaEventElapsedTime(&milliseconds, begin, end);
	if (round)
		times.push_back(milliseconds);
	if (round + 1 < ROUNDS)
		return;
	std::sort(times.begin(), times.end());
	printf("%s,%.3f\n", name, 1e3 * times[times.size() / 2]);
	times.clear();
}

#define MEASURE(name, launch)                                                                                                      \
	for (int round = 0; round < ROUNDS; round++) {                                                                             \
		measure_begin(round);                                                                                              \
		launch;                                                                                                            \
		measure_end(round, name);                                                                                          \
	}

/* Before the first of them. */
static void measure_start()
{
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	printf("kernel,us\n");
}

/* After the last: the exit status. */
static int measure_stop()
{
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}

#endif
