/*
 * Several words of each record at places without order, loaded or added to, each record by one thread: of arrays, one a word, or of tiles of 32 records, of which every word of a record is asked for or every second one. Places follow a
 * multiplicative hash, each once, or a hash that meets some again. Prints CSV, microseconds of the median of 5 launches, each after a kernel that overwrites the L2: benchmarks/measured/members-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 256
#define FLUSH_BYTES ((size_t)256 << 20)
#define TILE 32

struct layout {
	size_t member; /* words from one member to the next */
	size_t tile;   /* words from one tile of records to the next */
};

static __device__ unsigned place_of(unsigned i, unsigned records, bool even)
{
	if (even)
		return (i * 2654435761u >> 5) & (records - 1);
	i = (i ^ (i >> 16)) * 0x7feb352du;
	i = (i ^ (i >> 15)) * 0x846ca68bu;
	return (i ^ (i >> 16)) & (records - 1);
}

template <int MEMBERS, bool ADDS, bool EVEN>
static __global__ void __launch_bounds__(BLOCK) ask(float *set, unsigned records, size_t member, size_t tile, float *sink)
{
	unsigned i = blockIdx.x * BLOCK + threadIdx.x, j = place_of(i, records, EVEN);
	float *record = set + j / TILE * tile + j % TILE, sum = 0;
#pragma unroll
	for (int m = 0; m < MEMBERS; m++)
		if (ADDS)
			atomicAdd(&record[m * member], 1.f);
		else
			sum += record[m * member];
	if (sum == 12345.f)
		sink[i] = sum;
}

static __global__ void overwrite(float4 *words, size_t count, float value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		words[i] = make_float4(value, value, value, value);
}

static float *set, *sink;
static float4 *flush;

template <int MEMBERS, bool ADDS, bool EVEN> static void measure(const char *how, unsigned records, unsigned threads, layout at)
{
	std::vector<float> times;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < 6; i++) {
		float milliseconds;
		overwrite<<<1024, 256>>>(flush, FLUSH_BYTES / sizeof(float4), (float)i);
		cudaEventRecord(start);
		ask<MEMBERS, ADDS, EVEN><<<threads / BLOCK, BLOCK>>>(set, records, at.member, at.tile, sink);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		if (i)
			times.push_back(milliseconds);
	}
	std::sort(times.begin(), times.end());
	printf("%s,%d,%s,%s,%u,%u,%.3f\n", ADDS ? "add" : "load", MEMBERS, how, EVEN ? "even" : "hash", records, threads,
	       1e3 * times[times.size() / 2]);
}

template <int MEMBERS, bool ADDS, bool EVEN> static void layouts(unsigned records, unsigned threads)
{
	measure<MEMBERS, ADDS, EVEN>("arrays", records, threads, {records, TILE});
	measure<MEMBERS, ADDS, EVEN>("arrays_apart", records, threads, {records + (size_t)1088 * 7, TILE});
	measure<MEMBERS, ADDS, EVEN>("tiles", records, threads, {TILE, (size_t)MEMBERS * TILE});
	measure<MEMBERS, ADDS, EVEN>("tiles_half", records, threads, {TILE, (size_t)MEMBERS * 2 * TILE});
	measure<MEMBERS, ADDS, EVEN>("tiles_second", records, threads, {2 * TILE, (size_t)MEMBERS * 2 * TILE});
	measure<MEMBERS, ADDS, EVEN>("tiles_third", records, threads, {TILE, (size_t)MEMBERS * 3 * TILE});
}

template <int MEMBERS> static void all()
{
	for (unsigned records = 1u << 19; records <= 1u << 23; records *= 4) {
		layouts<MEMBERS, false, true>(records, records);
		layouts<MEMBERS, false, false>(records, records);
	}
	if (MEMBERS > 4)
		return;
	for (unsigned records = 1u << 16; records <= 1u << 22; records *= 4)
		for (unsigned threads = 1u << 20; threads <= 1u << 22; threads *= 4)
			layouts<MEMBERS, true, true>(records, threads);
}

int main()
{
	cudaMalloc(&set, (size_t)12 * 3 * sizeof(float) << 23);
	cudaMemset(set, 0, (size_t)12 * 3 * sizeof(float) << 23);
	cudaMalloc(&sink, sizeof(float) << 23);
	cudaMalloc(&flush, FLUSH_BYTES);
	printf("what,members,layout,places,records,threads,us\n");
	all<1>();
	all<2>();
	all<4>();
	all<7>();
	all<12>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
