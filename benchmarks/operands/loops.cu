/*
 * DRAM's rate in loops: blocks of 256 that stay until the end, 4 or 8 on each SM, and come to a record in each trip; members of records in arrays of their own, in tiles of 32 records, or side by side. streams.cu has the same where each
 * thread comes to one record, so that warps of a block load together; in a loop they drift apart. Prints CSV: seconds by events, bytes a second from the start of the first block to the end of the last, and the sum of what
 * each SM did over its own time; medians of 7 launches, each after a kernel that overwrites the L2: benchmarks/measured/loops-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define TILE 32
#define BLOCK 256
#define SMS 132
#define MOST_SMS 256
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

static __device__ unsigned long long now()
{
	unsigned long long time;
	asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
	return time;
}

enum layout { ARRAYS, TILES, RECORDS };

/* MEMBERS of n records: the first READ are read, the last WRITTEN written. */
template <class word, int MEMBERS, int READ, int WRITTEN, layout LAYOUT>
static __global__ void __launch_bounds__(BLOCK) use_members(word *memory, int n, float *sink, unsigned long long *times)
{
	unsigned long long begin = now();
	size_t step = LAYOUT == TILES ? TILE : LAYOUT == ARRAYS ? n : 1;
	float all = 0;
	for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
		word *first = memory + (LAYOUT == TILES    ? (size_t)i / TILE * (TILE * MEMBERS) + i % TILE
		                        : LAYOUT == ARRAYS ? i
		                                           : (size_t)i * MEMBERS);
		float sum = 1;
#pragma unroll
		for (int m = 0; m < READ; m++)
			sum += sum_of(first[m * step]);
#pragma unroll
		for (int m = MEMBERS - WRITTEN; m < MEMBERS; m++)
			fill(first + m * step, sum);
		all += sum;
	}
	if (WRITTEN == 0 && all == 12345.f)
		*sink = all;
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned sm;
		asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
		times[3 * blockIdx.x] = sm;
		times[3 * blockIdx.x + 1] = begin;
		times[3 * blockIdx.x + 2] = now();
	}
}

/* Bytes a second from the first start to the last end; of all SMs, each until its last block ends. */
struct rates {
	double whole, each;
};

static rates rates_of(const std::vector<unsigned long long> &times, double bytes)
{
	std::vector<double> end(MOST_SMS), blocks(MOST_SMS);
	unsigned long long begin = ~0ull;
	size_t count = times.size() / 3;
	double last = 0, each = 0;
	for (size_t b = 0; b < count; b++)
		begin = std::min(begin, times[3 * b + 1]);
	for (size_t b = 0; b < count; b++) {
		size_t sm = times[3 * b];
		end[sm] = std::max(end[sm], (double)(times[3 * b + 2] - begin) * 1e-9);
		last = std::max(last, end[sm]);
		blocks[sm]++;
	}
	for (int sm = 0; sm < MOST_SMS; sm++)
		each += blocks[sm] ? bytes * blocks[sm] / count / end[sm] : 0;
	return {bytes / last, each};
}

static void *memory, *flush;
static float *sink;
static unsigned long long *times_there;

template <class word, int MEMBERS, int READ, int WRITTEN, layout LAYOUT> static void measure()
{
	int n = (int)(SET_BYTES / sizeof(word) / MEMBERS / 1024 * 1024);
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int blocks = 2; blocks <= 8; blocks *= 2) {
		std::vector<float> times;
		std::vector<double> whole, each;
		std::vector<unsigned long long> ends(3 * blocks * SMS);
		double bytes = (double)(READ + WRITTEN) * sizeof(word) * n;
		for (int i = 0; i < 8; i++) {
			float milliseconds;
			cudaMemsetAsync(flush, i, FLUSH_BYTES);
			cudaEventRecord(start);
			use_members<word, MEMBERS, READ, WRITTEN, LAYOUT>
				<<<blocks * SMS, BLOCK>>>((word *)memory, n, sink, times_there);
			cudaEventRecord(end);
			cudaEventSynchronize(end);
			cudaEventElapsedTime(&milliseconds, start, end);
			cudaMemcpy(ends.data(), times_there, ends.size() * sizeof ends[0], cudaMemcpyDeviceToHost);
			rates rate = rates_of(ends, bytes);
			if (i == 0)
				continue;
			times.push_back(milliseconds);
			whole.push_back(rate.whole);
			each.push_back(rate.each);
		}
		std::sort(times.begin(), times.end());
		std::sort(whole.begin(), whole.end());
		std::sort(each.begin(), each.end());
		printf("%s,%zu,%d,%d,%d,%d,%.0f,%.4g,%.4g,%.4g\n",
		       LAYOUT == TILES    ? "tiles"
		       : LAYOUT == ARRAYS ? "arrays"
		                          : "records",
		       sizeof(word), MEMBERS, READ, WRITTEN, blocks, bytes, times[3] * 1e-3, whole[3], each[3]);
	}
}

template <class word, int MEMBERS, int READ, int WRITTEN> static void measure_all()
{
	measure<word, MEMBERS, READ, WRITTEN, ARRAYS>();
	measure<word, MEMBERS, READ, WRITTEN, TILES>();
	measure<word, MEMBERS, READ, WRITTEN, RECORDS>();
}

/* All members are read; read and written; written; half of them are written. */
template <class word, int MEMBERS> static void measure_mixes()
{
	measure_all<word, MEMBERS, MEMBERS, 0>();
	measure_all<word, MEMBERS, MEMBERS, MEMBERS / 2>();
	measure_all<word, MEMBERS, MEMBERS, MEMBERS>();
	measure_all<word, MEMBERS, 0, MEMBERS>();
}

/* Some members are read, others written: so many times one and two, one and four, two and one, one and one. */
template <class word, int TIMES> static void measure_parted()
{
	measure<word, 3 * TIMES, TIMES, 2 * TIMES, ARRAYS>();
	measure<word, 5 * TIMES, TIMES, 4 * TIMES, ARRAYS>();
	measure<word, 3 * TIMES, 2 * TIMES, TIMES, ARRAYS>();
	measure<word, 2 * TIMES, TIMES, TIMES, ARRAYS>();
}

template <class word> static void measure_width()
{
	measure_mixes<word, 2>();
	measure_mixes<word, 3>();
	measure_mixes<word, 4>();
	measure_mixes<word, 6>();
	measure_mixes<word, 8>();
	measure_mixes<word, 12>();
	measure_parted<word, 1>();
	measure_parted<word, 2>();
	measure_parted<word, 3>();
}

int main()
{
	cudaMalloc(&memory, SET_BYTES);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&sink, sizeof *sink);
	cudaMalloc(&times_there, 3 * 8 * SMS * sizeof *times_there);
	cudaMemset(memory, 0, SET_BYTES);
	printf("members,bytes,count,read,written,blocks,set,seconds,bytes/s,bytes/s of SMs\n");
	measure<float, 1, 1, 0, ARRAYS>();
	measure<float, 1, 1, 1, ARRAYS>();
	measure<float, 1, 0, 1, ARRAYS>();
	measure<float2, 1, 1, 0, ARRAYS>();
	measure<float2, 1, 1, 1, ARRAYS>();
	measure<float2, 1, 0, 1, ARRAYS>();
	measure<float4, 1, 1, 0, ARRAYS>();
	measure<float4, 1, 1, 1, ARRAYS>();
	measure<float4, 1, 0, 1, ARRAYS>();
	measure_width<float>();
	measure_width<float2>();
	measure_width<float4>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
