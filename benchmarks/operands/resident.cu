/*
 * When the SMs end that have all their blocks from the beginning on: loops over a grid of 1 to 8 blocks of 256 (or one of 64 or 1024) an SM, records of three words read, written or both, of which 160 MiB are come to once. Prints CSV: microseconds
 * until the first, the mean and the last SM ended, from the first start on, medians of 7 launches, each after a kernel that overwrites the L2; the mean over SMs of when their first block ended; and of each SM what its last end lies from the
 * mean, over the mean, by number: benchmarks/measured/resident-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define SMS 132
#define ROUNDS 7
#define SET_BYTES ((size_t)160 << 20)
#define FLUSH_BYTES ((size_t)128 << 20)

static __device__ unsigned long long now()
{
	unsigned long long time;
	asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
	return time;
}

enum layout { ARRAYS, TILES, RECORDS };

template <int WORDS, unsigned READ, unsigned WRITTEN, layout LAYOUT>
static __global__ void __launch_bounds__(1024)
	use_records(const float *from, float *to, int n, float *sink, unsigned long long *times)
{
	unsigned long long begin = now();
	float all = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float sum = 0.25f;
#pragma unroll
		for (int w = 0; w < WORDS; w++) {
			size_t place = LAYOUT == TILES    ? (size_t)i / 32 * (32 * WORDS) + w * 32 + i % 32
			               : LAYOUT == ARRAYS ? (size_t)w * n + i
			                                  : (size_t)i * WORDS + w;
			if (READ >> w & 1)
				sum += 0.75f * from[place];
		}
#pragma unroll
		for (int w = 0; w < WORDS; w++) {
			size_t place = LAYOUT == TILES    ? (size_t)i / 32 * (32 * WORDS) + w * 32 + i % 32
			               : LAYOUT == ARRAYS ? (size_t)w * n + i
			                                  : (size_t)i * WORDS + w;
			if (WRITTEN >> w & 1)
				to[place] = sum * (0.5f + w);
		}
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

static float *from, *to, *sink;
static void *flush;
static unsigned long long *times;

static double median(std::vector<double> values)
{
	std::sort(values.begin(), values.end());
	return values[values.size() / 2];
}

template <int WORDS, unsigned READ, unsigned WRITTEN, layout LAYOUT> static void measure(int threads, int blocks)
{
	int n = (int)(SET_BYTES / 4 / WORDS) / 32768 * 32768, count = blocks * SMS;
	std::vector<double> firsts, means, lasts, earlier, by_sm[SMS];
	for (int round = 0; round < ROUNDS; round++) {
		std::vector<unsigned long long> got(3 * count);
		std::vector<double> last(SMS), first(SMS, 1e9);
		cudaMemsetAsync(flush, round, FLUSH_BYTES);
		use_records<WORDS, READ, WRITTEN, LAYOUT><<<count, threads>>>(from, to, n, sink, times);
		cudaMemcpy(got.data(), times, got.size() * sizeof got[0], cudaMemcpyDeviceToHost);
		unsigned long long begin = ~0ull;
		for (int b = 0; b < count; b++)
			begin = std::min(begin, got[3 * b + 1]);
		for (int b = 0; b < count; b++) {
			double end = (got[3 * b + 2] - begin) * 1e-3;
			size_t sm = got[3 * b] % SMS;
			last[sm] = std::max(last[sm], end);
			first[sm] = std::min(first[sm], end);
		}
		double mean = 0, mean_first = 0;
		for (int sm = 0; sm < SMS; sm++) {
			mean += last[sm] / SMS;
			mean_first += first[sm] / SMS;
		}
		firsts.push_back(*std::min_element(last.begin(), last.end()));
		lasts.push_back(*std::max_element(last.begin(), last.end()));
		means.push_back(mean);
		earlier.push_back(mean_first);
		for (int sm = 0; sm < SMS; sm++)
			by_sm[sm].push_back(last[sm] / mean - 1);
	}
	printf("%d,%x,%x,%s,%d,%d,%.1f,%.1f,%.1f,%.1f,", WORDS, READ, WRITTEN,
	       LAYOUT == ARRAYS  ? "arrays"
	       : LAYOUT == TILES ? "tiles"
	                         : "records",
	       threads, blocks, median(firsts), median(means), median(lasts), median(earlier));
	for (int sm = 0; sm < SMS; sm++)
		printf("%s%.3f", sm ? " " : "", median(by_sm[sm]));
	printf("\n");
}

template <unsigned READ, unsigned WRITTEN> static void measure_all()
{
	for (int blocks = 1; blocks <= 8; blocks *= 2) {
		measure<3, READ, WRITTEN, ARRAYS>(256, blocks);
		measure<3, READ, WRITTEN, TILES>(256, blocks);
		measure<3, READ, WRITTEN, RECORDS>(256, blocks);
	}
}

int main()
{
	cudaMalloc(&from, SET_BYTES);
	cudaMalloc(&to, SET_BYTES);
	cudaMalloc(&sink, sizeof *sink);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&times, 3 * 8 * SMS * sizeof *times);
	cudaMemset(from, 0, SET_BYTES);
	cudaMemset(to, 0, SET_BYTES);
	printf("words,read,written,layout,threads,blocks an SM,first us,mean us,last us,mean of first blocks us,by SM\n");
	measure<1, 1, 0, ARRAYS>(64, 1);
	for (int blocks = 1; blocks <= 8; blocks *= 2)
		measure<1, 1, 0, ARRAYS>(256, blocks);
	measure<1, 1, 0, ARRAYS>(1024, 1);
	measure_all<7, 0>();
	measure_all<7, 7>();
	measure_all<5, 3>();
	measure_all<0, 7>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
