/*
 * How long a warp's load takes while the other warps of all SMs keep DRAM busy: reading, copying or writing 16 bytes a lane, with a pause between two of them. Of 1 to 32 lines far apart, of two lines so many lines apart, and of 4 and 8 side by
 * side. Prints CSV, cycles in the mean and their deviation, and gigabytes a second of the others: benchmarks/measured/busy-h200.csv.
 */
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

#define SMS 132
#define THREADS 1024
#define OTHERS (THREADS / 32 - 1)
#define LOADS 400
#define FIRST 40000 /* cycles until the others are at it */
#define GIGAHERTZ 1.98
#define SET_BYTES ((size_t)4 << 30)
#define OTHER_BYTES ((size_t)1 << 30)
#define KILOBYTE 8 /* lines */

enum kind { READ, COPY, WRITE };

static __device__ unsigned mixed(unsigned x)
{
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	return x ^ x >> 16;
}

struct count {
	long long cycles, squares, trips, time;
};

/* count lines are loaded: far apart where apart is 0, else so many lines from one to the next. */
static __global__ void __launch_bounds__(THREADS) load(const float *set, float4 *from, float4 *to, int count, int apart, kind what,
                                                       int pause, struct count *counts, float *sink)
{
	__shared__ volatile int done;
	const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	float sum = 0;
	if (threadIdx.x == 0)
		done = 0;
	__syncthreads();
	if (warp == 0) {
		long long cycles = 0, squares = 0, begin = clock64();
		while (clock64() - begin < FIRST)
			;
		for (int i = 0; i < LOADS; i++) {
			unsigned draw = mixed((blockIdx.x * LOADS + i) * 64u + (apart ? 0 : lane % count));
			size_t line = (size_t)(draw % (SET_BYTES / 128 / KILOBYTE / 8)) * KILOBYTE * 8 + lane % count * apart;
			const float *place = set + line * 32 + lane / count;
			float value;
			__syncwarp();
			long long start = clock64();
			asm volatile("ld.global.f32 %0, [%1];" : "=f"(value) : "l"(place) : "memory");
			sum += value;
			if (sum == 12345.f)
				*sink = sum;
			long long took = clock64() - start;
			cycles += took;
			squares += took * took;
		}
		done = 1;
		if (lane == 0) {
			counts[blockIdx.x].cycles = cycles;
			counts[blockIdx.x].squares = squares;
		}
		return;
	}
	const size_t all = OTHER_BYTES / sizeof *from, step = (size_t)gridDim.x * OTHERS * 32;
	long long trips = 0, begin = clock64();
	for (size_t i = ((size_t)blockIdx.x * OTHERS + warp - 1) * 32 + lane; !done && pause >= 0; trips++) {
		float4 value = make_float4(1, 2, 3, i);
		if (what != WRITE)
			value = from[i];
		if (what != READ)
			to[i] = value;
		sum += value.x;
		if (sum == 12345.f)
			*sink = sum;
		i = i + step < all ? i + step : i + step - all;
		for (long long start = clock64(); pause && clock64() - start < pause;)
			;
	}
	if (warp == 1 && lane == 0) {
		counts[blockIdx.x].trips = trips;
		counts[blockIdx.x].time = clock64() - begin;
	}
}

static float *set, *sink;
static float4 *from, *to;
static struct count *counts;

static void measure(kind what, int pause, int count, int apart)
{
	static const char *const names[] = {"read", "copy", "write"};
	struct count all[SMS];
	double cycles = 0, squares = 0, rate = 0;
	load<<<SMS, THREADS>>>(set, from, to, count, apart, what, pause, counts, sink);
	cudaMemcpy(all, counts, sizeof all, cudaMemcpyDeviceToHost);
	for (int sm = 0; sm < SMS; sm++) {
		cycles += (double)all[sm].cycles / (SMS * LOADS);
		squares += (double)all[sm].squares / (SMS * LOADS);
		rate += pause < 0 ? 0
		                  : (double)all[sm].trips * OTHERS * 32 * sizeof(float4) * (what == COPY ? 2 : 1) / all[sm].time;
	}
	printf("%s,%d,%d,%d,%.1f,%.1f,%.0f\n", names[what], pause, count, apart, cycles, sqrt(squares - cycles * cycles),
	       rate * GIGAHERTZ);
}

int main()
{
	cudaMalloc(&set, SET_BYTES);
	cudaMalloc(&from, OTHER_BYTES);
	cudaMalloc(&to, OTHER_BYTES);
	cudaMalloc(&counts, SMS * sizeof *counts);
	cudaMalloc(&sink, sizeof *sink);
	cudaMemset(set, 0, SET_BYTES);
	cudaMemset(from, 0, OTHER_BYTES);
	cudaMemset(to, 0, OTHER_BYTES);
	printf("others,pause,lines,apart,cycles,deviation,GB/s\n");
	for (int what = READ; what <= WRITE; what++)
		for (int pause : {-1, 32000, 16000, 8000, 4000, 2500, 1800, 1500, 1250, 1000, 800, 600, 450, 300, 100, 0}) {
			for (int count : {1, 2, 4, 8, 16, 32})
				measure((kind)what, pause, count, 0);
			for (int apart : {1, 2, 4, 8, 16})
				measure((kind)what, pause, 2, apart);
			measure((kind)what, pause, 4, 1);
			measure((kind)what, pause, 8, 1);
		}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
