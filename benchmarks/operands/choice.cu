/*
 * Which of the warps that wait goes first: each thread notes the clock before each of some stores, loads or runs of 64 multiplications and after the last one. Prints for each warp of some SMs what it
 * did, where it was and its clocks; choice.py makes benchmarks/measured/choice-h200.csv of it:
 *
 *     ./choice | ./choice.py >choice-h200.csv
 *
 * Stores: one word after the other of records of STEPS words. Loads: a word of each of 8 or 32 lines, from the L2 or beyond; `hits`: of 8 lines that all warps load; `shared`: of one bank. Multiplications: in
 * so many chains, begun by all warps at one reading of the clock, in the second of two passes, whose code is there.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CLOCK(now) asm volatile("mov.u32 %0,%%clock;" : "=r"(now)::"memory")
#define LOGGED 32 /* words of a warp */
#define LAST_WORD 31
#define SM_STEP 16
#define MULTIPLICATIONS 64

enum kind { STORES, LOADS_8, LOADS_32, HITS, SHARED, CHAINS_1, CHAINS_2, CHAINS_8, KINDS };
static const char *const names[KINDS] = {"stores", "loads_8", "loads_32", "hits", "shared", "chains_1", "chains_2", "chains_8"};

static __device__ __forceinline__ unsigned load(const char *address)
{
	unsigned value;
	asm volatile("ld.global.u32 %0,[%1];" : "=r"(value) : "l"(address) : "memory");
	return value;
}

/* The k-th access of a thread, at `mine`, or at `shared` in shared memory. */
template <int KIND> static __device__ __forceinline__ unsigned access(char *mine, unsigned shared, int k, unsigned value)
{
	unsigned result = 0;
	if (KIND == STORES)
		asm volatile("st.global.u32 [%0],%1;" ::"l"(mine + k * 4), "r"(value) : "memory");
	else if (KIND == LOADS_8)
		result = load(mine + (size_t)k * 1024);
	else if (KIND == LOADS_32)
		result = load(mine + (size_t)k * 4096);
	else if (KIND == HITS)
		result = load(mine + k * 1024 % 8192);
	else
		asm volatile("ld.shared.u32 %0,[%1];" : "=r"(result) : "r"(shared + k * 4) : "memory");
	return result;
}

template <int STEPS, int KIND> static __device__ __forceinline__ char *first_address(char *target)
{
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
	if (KIND == STORES)
		return target + i * STEPS * 4;
	if (KIND == HITS)
		return target + lane * 32;
	return target + (i / 32 * STEPS * 32 + lane) * (KIND == LOADS_8 ? 32 : 128);
}

/* Lane k of each warp writes its clock k, the lanes after these the SM and the warp's place there; `sum` keeps what was loaded alive. */
template <int STEPS> static __device__ __forceinline__ void log_write(unsigned *log, const unsigned *clocks, unsigned sum)
{
	unsigned sm, slot, out = sum, lane = threadIdx.x % 32;
	asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
	asm volatile("mov.u32 %0,%%warpid;" : "=r"(slot));
#pragma unroll
	for (int k = 0; k <= STEPS; k++)
		out = lane == k ? clocks[k] : out;
	out = lane == STEPS + 1 ? sm : lane == STEPS + 2 ? slot : out;
	if (lane < STEPS + 3 || lane == LAST_WORD)
		log[((size_t)blockIdx.x * blockDim.x + threadIdx.x) / 32 * LOGGED + lane] = out;
}

template <int STEPS, int KIND>
static __global__ void __launch_bounds__(1024) wait_for_memory(char *target, unsigned *log, unsigned value)
{
	__shared__ unsigned room[4096];
	unsigned clocks[STEPS + 1], loaded[STEPS], sum = 0;
	unsigned shared = (unsigned)__cvta_generic_to_shared(room) + threadIdx.x % 32 * 128;
	char *mine = first_address<STEPS, KIND>(target);
#pragma unroll
	for (int k = 0; k < STEPS; k++) {
		CLOCK(clocks[k]);
		loaded[k] = access<KIND>(mine, shared, k, value);
	}
	CLOCK(clocks[STEPS]);
#pragma unroll
	for (int k = 0; k < STEPS; k++)
		sum += loaded[k];
	log_write<STEPS>(log, clocks, sum);
}

template <int STEPS, int CHAINS> static __global__ void __launch_bounds__(1024) multiply(unsigned *log, unsigned value)
{
	unsigned clocks[STEPS + 1], now, begin;
	float numbers[CHAINS], sum = 0;
#pragma unroll
	for (int j = 0; j < CHAINS; j++)
		numbers[j] = value + j;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		CLOCK(now);
		begin = (now | 0x7fff) + 1;
		do
			CLOCK(now);
		while ((int)(now - begin) < 0);
#pragma unroll
		for (int k = 0; k < STEPS; k++) {
			CLOCK(clocks[k]);
#pragma unroll
			for (int j = 0; j < MULTIPLICATIONS; j++)
				asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(numbers[j % CHAINS]));
		}
		CLOCK(clocks[STEPS]);
	}
#pragma unroll
	for (int j = 0; j < CHAINS; j++)
		sum += numbers[j];
	log_write<STEPS>(log, clocks, __float_as_uint(sum));
}

static char *target;
static unsigned *device_log, *host_log;
static int sms;

template <int STEPS, int KIND> static void run(int threads, int blocks)
{
	for (unsigned i = 0; i < 3; i++) {
		if constexpr (KIND >= CHAINS_1)
			multiply<STEPS, KIND == CHAINS_1 ? 1 : KIND == CHAINS_2 ? 2 : 8><<<sms * blocks, threads>>>(device_log, i);
		else
			wait_for_memory<STEPS, KIND><<<sms * blocks, threads>>>(target, device_log, i);
	}
}

template <int STEPS, int KIND> static void measure(int threads, int blocks)
{
	int warps = sms * blocks * (threads / 32);
	run<STEPS, KIND>(threads, blocks);
	cudaMemcpy(host_log, device_log, (size_t)warps * LOGGED * 4, cudaMemcpyDeviceToHost);
	for (int warp = 0; warp < warps; warp++) {
		const unsigned *words = host_log + (size_t)warp * LOGGED;
		if (words[STEPS + 1] % SM_STEP)
			continue;
		printf("%s,%d,%d,%d,%u,%d,%d,%u", names[KIND], STEPS, threads, blocks, words[STEPS + 1], warp / (threads / 32),
		       warp % (threads / 32), words[STEPS + 2]);
		for (int k = 0; k <= STEPS; k++)
			printf(",%u", words[k]);
		printf("\n");
	}
}

template <int KIND> static void measure_loads()
{
	measure<8, KIND>(128, 8);
	measure<8, KIND>(256, 8);
	measure<8, KIND>(512, 4);
	measure<8, KIND>(256, 24);
}

static void measure_stores()
{
	measure<3, STORES>(256, 8);
	measure<5, STORES>(256, 4);
	measure<5, STORES>(256, 8);
	measure<7, STORES>(256, 8);
	measure<7, STORES>(64, 16);
	measure<5, STORES>(512, 4);
	measure<5, STORES>(256, 32);
	measure<3, STORES>(512, 64);
	measure<5, STORES>(512, 64);
	measure<7, STORES>(256, 64);
}

static void measure_multiplications()
{
	measure<8, CHAINS_8>(128, 4);
	measure<8, CHAINS_8>(128, 8);
	measure<8, CHAINS_8>(256, 4);
	measure<8, CHAINS_8>(512, 2);
	measure<8, CHAINS_1>(128, 8);
	measure<8, CHAINS_1>(512, 2);
	measure<8, CHAINS_2>(256, 4);
}

int main()
{
	size_t bytes = (size_t)2 << 30, logged = (size_t)64 << 20;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	host_log = (unsigned *)malloc(logged);
	cudaMalloc(&target, bytes);
	cudaMalloc(&device_log, logged);
	cudaMemset(target, 0, bytes);
	measure_stores();
	measure_loads<LOADS_8>();
	measure_loads<LOADS_32>();
	measure_loads<HITS>();
	measure_loads<SHARED>();
	measure_multiplications();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
