/*
 * Chosen warps of one block that store the words of their own records, all at once or one a little later than the other: how many of the stores become one. Warp w belongs to scheduler w modulo 4. Each
 * launch is a row of CSV; counted.py runs it under Nsight Compute and adds what came to the L2: benchmarks/measured/bursts-h200.csv.
 *
 *     ./counted.py --kernel burst ./bursts >bursts-h200.csv
 *
 * `turns` comes from a second launch, in which each warp notes the clock between its stores: of the stores that waited for room in their scheduler's queue the share that went after one of another warp of
 * that scheduler; empty where less than MANY did.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define STORE(address, value) asm volatile("st.global.u32 [%0],%1;" ::"l"(address), "r"(value) : "memory")
#define CLOCK(now) asm volatile("mov.u32 %0,%%clock;" : "=r"(now)::"memory")
#define WARPS 16
#define SCHEDULERS 4
#define WAITED 16 /* cycles from one store to the next */
#define MANY 10

static __device__ __forceinline__ void rest(unsigned cycles)
{
	unsigned start, now;
	CLOCK(start);
	do
		CLOCK(now);
	while (now - start < cycles);
}

template <int WORDS, bool TIMED>
static __device__ __forceinline__ void store_record(char *target, unsigned mask, unsigned skew, unsigned *log)
{
	unsigned warp = threadIdx.x / 32, clocks[WORDS + 1];
	if (!(mask >> warp & 1))
		return;
	unsigned number = __popc(mask & ((1u << warp) - 1)), count = __popc(mask);
	char *record = target + ((size_t)number * 32 + threadIdx.x % 32) * WORDS * 4;
	asm volatile("bar.sync 1, %0;" ::"r"(count * 32) : "memory");
	if (skew)
		rest(skew * number + 40);
#pragma unroll
	for (int k = 0; k < WORDS; k++) {
		if (TIMED)
			CLOCK(clocks[k]);
		STORE(record + k * 4, mask);
	}
	if (!TIMED)
		return;
	CLOCK(clocks[WORDS]);
	if (threadIdx.x % 32 == 0)
		for (int k = 0; k <= WORDS; k++)
			log[warp * (WORDS + 1) + k] = clocks[k];
}

template <int WORDS> static __global__ void __launch_bounds__(WARPS * 32) burst(char *target, unsigned mask, unsigned skew)
{
	store_record<WORDS, false>(target, mask, skew, nullptr);
}

template <int WORDS>
static __global__ void __launch_bounds__(WARPS * 32) timed_burst(char *target, unsigned mask, unsigned skew, unsigned *log)
{
	store_record<WORDS, true>(target, mask, skew, log);
}

struct event {
	unsigned time, warp;
	bool waited;
};

/* Counts, of a scheduler's stores that waited, those that went after another warp's. A store has gone when the next clock is read. */
static void turns_count(std::vector<event> events, unsigned *waited, unsigned *turns)
{
	std::sort(events.begin(), events.end(), [](const event &one, const event &other) { return one.time < other.time; });
	for (size_t i = 1; i < events.size(); i++) {
		*waited += events[i].waited;
		*turns += events[i].waited && events[i].warp != events[i - 1].warp;
	}
}

template <int WORDS> static void turns_print(unsigned mask, const unsigned *log)
{
	unsigned waited = 0, turns = 0, begin = log[__builtin_ctz(mask) * (WORDS + 1)] - (1u << 30);
	for (unsigned s = 0; s < SCHEDULERS; s++) {
		std::vector<event> events;
		if (__builtin_popcount(mask & (0x1111 << s)) < 2)
			continue;
		for (unsigned warp = s; warp < WARPS; warp += SCHEDULERS)
			for (int k = 1; mask >> warp & 1 && k < WORDS; k++) {
				const unsigned *clocks = log + warp * (WORDS + 1) + k;
				events.push_back({clocks[0] - begin, warp, clocks[0] - clocks[-1] > WAITED});
			}
		turns_count(events, &waited, &turns);
	}
	if (waited >= MANY)
		printf(",%.2f\n", (double)turns / waited);
	else
		printf(",\n");
}

static char *target;
static unsigned *device_log;

template <int WORDS> static void measure()
{
	static unsigned log[WARPS * (WORDS + 1)];
	for (unsigned mask : {0x1, 0x3, 0x11, 0x111, 0x1111, 0x33, 0xf, 0xff, 0xffff})
		for (unsigned skew : {0, 8, 50, 200}) {
			burst<WORDS><<<1, WARPS * 32>>>(target, mask, skew);
			for (int i = 0; i < 2; i++)
				timed_burst<WORDS><<<1, WARPS * 32>>>(target, mask, skew, device_log);
			cudaMemcpy(log, device_log, sizeof log, cudaMemcpyDeviceToHost);
			printf("%d,%#x,%u", WORDS, mask, skew);
			turns_print<WORDS>(mask, log);
		}
}

int main()
{
	cudaMalloc(&target, (size_t)64 << 20);
	cudaMalloc(&device_log, 1 << 20);
	printf("words,warps,skew,turns\n");
	measure<2>();
	measure<4>();
	measure<5>();
	measure<6>();
	measure<8>();
	measure<10>();
	measure<12>();
	measure<14>();
	measure<16>();
	measure<20>();
	measure<24>();
	measure<28>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
