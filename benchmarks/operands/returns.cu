/*
 * When loads of the warps of one SM come back from the L2, and what stores between them cost: each warp loads the words of a record for each lane, waits for one after the other, notes the clock, and may store it.
 * Prints a row of CSV for each launch: benchmarks/measured/returns-h200.csv.
 *
 * `loaded`: records of each warp's own, rows of words of its own (plain), the same records by all warps (common). `stored`: nothing, or to lines that all warps store to (common), each word once it is there.
 * `cycles` from one load that comes back to the next, in the mean; `issued`: from the first warp's first to the last one's last load; `rounds`: of all pairs of loads of different warps one of which is that
 * of an earlier word, the share in which that one comes back first.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define STORE(address, value) asm volatile("st.global.u32 [%0],%1;" ::"l"(address), "r"(value) : "memory")
#define LOAD(value, address) asm volatile("ld.global.u32 %0,[%1];" : "=r"(value) : "l"(address) : "memory")
#define CLOCK(now) asm volatile("mov.u32 %0,%%clock;" : "=r"(now)::"memory")
#define AWAIT(now, value)                                                                                                          \
	asm volatile("{.reg .pred p; setp.ne.u32 p,%1,0x12345; @p mov.u32 %0,%%clock;}" : "+r"(now) : "r"(value) : "memory")
#define LOGGED 32 /* words of a warp */
#define LINE 128
#define TOUCHED ((size_t)4 << 20)

enum place { RECORDS, PLAIN, COMMON };
static const char *const places[] = {"records", "plain", "common"};

/* Word k of lane l lies at k * LINE + 4 l of a warp's bytes where these are plain, else at (l * WORDS + k) * 4. */
template <int WORDS, int PLACE, bool STORED>
static __global__ void __launch_bounds__(1024) load_words(const char *source, char *target, unsigned *log)
{
	extern __shared__ unsigned kept[];
	unsigned value[WORDS], clocks[WORDS + 2] = {0}, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	size_t at = PLACE == PLAIN ? lane * 4 : lane * WORDS * 4;
	const int step = PLACE == PLAIN ? LINE : 4;
	const char *mine = source + at + (PLACE == COMMON ? 0 : warp * WORDS * LINE);
	CLOCK(clocks[0]);
#pragma unroll
	for (int k = 0; k < WORDS; k++)
		LOAD(value[k], mine + k * step);
	CLOCK(clocks[1]);
#pragma unroll
	for (int k = 0; k < WORDS; k++) {
		AWAIT(clocks[2 + k], value[k]);
		if (STORED)
			STORE(target + at + k * step, value[k]);
	}
	__syncthreads();
	if (lane == 0)
		for (int k = 0; k < WORDS + 2; k++)
			kept[warp * LOGGED + k] = clocks[k];
	__syncthreads();
	log[threadIdx.x] = kept[threadIdx.x];
}

static __global__ void touch(const uint4 *from, size_t count, unsigned *out)
{
	unsigned sum = 0;
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		sum += from[i].x;
	if (sum == 12345)
		*out = 1;
}

static char *source, *target;
static unsigned *device_log;

/* Clocks from the first warp's first one on. */
static int clock_of(const unsigned *log, int warp, int which)
{
	return (int)(log[warp * LOGGED + which] - log[0]);
}

static double rounds_of(const unsigned *log, int words, int warps)
{
	double pairs = 0, earlier = 0;
	for (int one = 0; one < warps; one++)
		for (int other = 0; other < warps; other++)
			for (int k = 0; k < words; k++)
				for (int later = k + 1; one != other && later < words; later++) {
					pairs++;
					earlier += clock_of(log, one, 2 + k) < clock_of(log, other, 2 + later);
				}
	return earlier / pairs;
}

template <int WORDS, int PLACE, bool STORED> static void measure(int warps)
{
	static unsigned log[32 * LOGGED];
	for (int i = 0; i < 3; i++) {
		touch<<<132, 256>>>((const uint4 *)source, TOUCHED / sizeof(uint4), device_log);
		touch<<<132, 256>>>((const uint4 *)target, TOUCHED / sizeof(uint4), device_log);
		load_words<WORDS, PLACE, STORED><<<1, warps * 32, warps * LOGGED * 4>>>(source, target, device_log);
	}
	cudaMemcpy(log, device_log, (size_t)warps * LOGGED * 4, cudaMemcpyDeviceToHost);
	int first = 1 << 30, last = -first, begun = first, issued = last;
	for (int warp = 0; warp < warps; warp++) {
		begun = std::min(begun, clock_of(log, warp, 0));
		issued = std::max(issued, clock_of(log, warp, 1));
		for (int k = 0; k < WORDS; k++) {
			first = std::min(first, clock_of(log, warp, 2 + k));
			last = std::max(last, clock_of(log, warp, 2 + k));
		}
	}
	printf("%s,%s,%d,%d,%d,%d,%.2f,%.2f\n", places[PLACE], STORED ? "common" : "", WORDS, warps, issued - begun, first - begun,
	       (double)(last - first) / (warps * WORDS - 1), rounds_of(log, WORDS, warps));
}

template <int WORDS> static void measure_words()
{
	for (int warps : {8, 16, 32}) {
		measure<WORDS, RECORDS, false>(warps);
		measure<WORDS, RECORDS, true>(warps);
		measure<WORDS, PLAIN, false>(warps);
		measure<WORDS, PLAIN, true>(warps);
		measure<WORDS, COMMON, false>(warps);
	}
}

int main()
{
	cudaMalloc(&source, TOUCHED);
	cudaMalloc(&target, TOUCHED);
	cudaMalloc(&device_log, 1 << 20);
	cudaMemset(source, 0, TOUCHED);
	cudaMemset(target, 0, TOUCHED);
	printf("loaded,stored,words,warps,issued,first,cycles,rounds\n");
	measure_words<2>();
	measure_words<3>();
	measure_words<4>();
	measure_words<5>();
	measure_words<6>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
