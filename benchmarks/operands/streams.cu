/*
 * DRAM's rate where each thread reads and writes several words side by side with its neighbours': members of records, in arrays of their own or in tiles of 32 records.
 * One word per thread is bound by latency, a loop by what it keeps in flight; several words per thread are what most kernels do. Prints CSV, seconds of the median of
 * 11 launches, each after a kernel that overwrites the L2: benchmarks/measured/streams-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define TILE 32
#define BLOCK 256
#define SET_BYTES ((size_t)1 << 29)
#define FLUSH_BYTES ((size_t)128 << 20)

static __device__ float sum_of(float v)
{
	return v;
}
static __device__ float sum_of(float2 v)
{
	return v.x + v.y;
}
static __device__ float sum_of(float4 v)
{
	return v.x + v.y + v.z + v.w;
}
static __device__ void fill(float *place, float v)
{
	*place = v;
}
static __device__ void fill(float2 *place, float v)
{
	*place = make_float2(v, v);
}
static __device__ void fill(float4 *place, float v)
{
	*place = make_float4(v, v, v, v);
}

/* MEMBERS of n records: the first READ are read, the last WRITTEN written. */
template <class word, int MEMBERS, int READ, int WRITTEN, bool TILED>
static __global__ void __launch_bounds__(BLOCK) use_members(word *memory, size_t n, float *sink)
{
	size_t i = blockIdx.x * (size_t)BLOCK + threadIdx.x, step = TILED ? TILE : n;
	if (i >= n)
		return;
	word *first = TILED ? memory + i / TILE * (TILE * MEMBERS) + i % TILE : memory + i;
	float sum = 1;
#pragma unroll
	for (int m = 0; m < READ; m++)
		sum += sum_of(first[m * step]);
#pragma unroll
	for (int m = MEMBERS - WRITTEN; m < MEMBERS; m++)
		fill(first + m * step, sum);
	if (WRITTEN == 0 && sum == 12345.f)
		*sink = sum;
}

static void *memory, *flush;
static float *sink;

template <class word, int MEMBERS, int READ, int WRITTEN, bool TILED> static void measure()
{
	size_t n = SET_BYTES / sizeof(word) / MEMBERS / 1024 * 1024;
	std::vector<float> times;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < 12; i++) {
		float milliseconds;
		cudaMemsetAsync(flush, i, FLUSH_BYTES);
		cudaEventRecord(start);
		use_members<word, MEMBERS, READ, WRITTEN, TILED>
			<<<(unsigned)((n + BLOCK - 1) / BLOCK), BLOCK>>>((word *)memory, n, sink);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		if (i)
			times.push_back(milliseconds);
	}
	std::sort(times.begin(), times.end());
	double seconds = times[times.size() / 2] * 1e-3, bytes = (double)(READ + WRITTEN) * sizeof(word) * n;
	printf("%s,%zu,%d,%d,%d,%.0f,%.4g,%.4g,%.4g,%.4g\n", TILED ? "tiles" : "arrays", sizeof(word), MEMBERS, READ, WRITTEN,
	       bytes, seconds, times.front() * 1e-3, times.back() * 1e-3, bytes / seconds);
}

template <class word, int MEMBERS, int READ, int WRITTEN> static void measure_both()
{
	measure<word, MEMBERS, READ, WRITTEN, false>();
	measure<word, MEMBERS, READ, WRITTEN, true>();
}

/* All members are read; read and written; written; half of them are written. */
template <class word, int MEMBERS> static void measure_mixes()
{
	measure_both<word, MEMBERS, MEMBERS, 0>();
	measure_both<word, MEMBERS, MEMBERS, MEMBERS / 2>();
	measure_both<word, MEMBERS, MEMBERS, MEMBERS>();
	measure_both<word, MEMBERS, 0, MEMBERS>();
}

/* Some members are read, others written: so many times one and two, one and four, two and one, one and one. */
template <class word, int TIMES> static void measure_parted()
{
	measure_both<word, 3 * TIMES, TIMES, 2 * TIMES>();
	measure_both<word, 5 * TIMES, TIMES, 4 * TIMES>();
	measure_both<word, 3 * TIMES, 2 * TIMES, TIMES>();
	measure_both<word, 2 * TIMES, TIMES, TIMES>();
}

template <class word> static void measure_width()
{
	measure_mixes<word, 2>();
	measure_mixes<word, 4>();
	measure_mixes<word, 6>();
	measure_mixes<word, 8>();
	measure_mixes<word, 12>();
	measure_mixes<word, 16>();
	measure_both<word, 8, 4, 4>();
	measure_both<word, 9, 8, 1>();
	measure_parted<word, 1>();
	measure_parted<word, 2>();
	measure_parted<word, 3>();
	measure_both<word, 13, 5, 8>();
	measure_both<word, 16, 8, 8>();
}

int main()
{
	cudaMalloc(&memory, SET_BYTES);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&sink, sizeof *sink);
	cudaMemset(memory, 0, SET_BYTES);
	printf("members,bytes,count,read,written,set,seconds,low,high,bytes/s\n");
	measure_width<float>();
	measure_width<float2>();
	measure_width<float4>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
