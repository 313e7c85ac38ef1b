/*
 * Stores of all threads to a record of SIZE words, of which READ are loaded before: in what order warps get to store where the queue of memory instructions is full, and which stores become one. The warp
 * of the oldest block goes before others, and in it the one that has waited longest: choice.cu counts how often. With an argument it prints for each warp of one SM its place there and the clock before
 * each store and after the last; without one it is run under Nsight Compute, which counts requests and sectors at the L2: benchmarks/measured/merging-h200.csv.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define STORE(address, value) asm volatile("st.global.u32 [%0],%1;" ::"l"(address), "r"(value) : "memory")
#define CLOCK(now) asm volatile("mov.u32 %0,%%clock;" : "=r"(now)::"memory")
#define BLOCK 512
#define BLOCKS (132 * 64)
#define LOGGED 16 /* words of a warp */
#define SM 5

template <int STORED, int READ, bool LOG>
static __global__ void __launch_bounds__(BLOCK) use_records(const char *source, char *target, int size, unsigned *log)
{
	unsigned clocks[STORED + 1], value = size, lane = threadIdx.x % 32;
	size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;
	char *record = target + i * size * 4;
#pragma unroll
	for (int k = 0; k < READ; k++) {
		unsigned word;
		asm volatile("ld.global.u32 %0,[%1];" : "=r"(word) : "l"(source + i * size * 4 + k * 4) : "memory");
		value += word;
	}
#pragma unroll
	for (int k = 0; k < STORED; k++) {
		if (LOG)
			CLOCK(clocks[k]);
		STORE(record + k * 4, value);
	}
	if (LOG) {
		unsigned sm, slot, out = 0;
		CLOCK(clocks[STORED]);
		asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
		asm volatile("mov.u32 %0,%%warpid;" : "=r"(slot));
#pragma unroll
		for (int k = 0; k <= STORED; k++)
			out = lane == k ? clocks[k] : out;
		out = lane == STORED + 1 ? sm : lane == STORED + 2 ? slot : out;
		if (lane < STORED + 3)
			log[i / 32 * LOGGED + lane] = out;
	}
}

static char *source, *target;
static unsigned *device_log, *host_log;

template <int STORED, int READ> static void measure(int size, bool print)
{
	if (!print) {
		use_records<STORED, READ, false><<<BLOCKS, BLOCK>>>(source, target, size, device_log);
		printf("stored %d read %d size %d\n", STORED, READ, size);
		return;
	}
	use_records<STORED, READ, true><<<BLOCKS, BLOCK>>>(source, target, size, device_log);
	cudaMemcpy(host_log, device_log, (size_t)BLOCKS * BLOCK / 32 * LOGGED * 4, cudaMemcpyDeviceToHost);
	printf("stored %d read %d size %d\n", STORED, READ, size);
	for (int warp = 0; warp < BLOCKS * BLOCK / 32; warp++) {
		const unsigned *words = host_log + warp * LOGGED;
		if (words[STORED + 1] != SM)
			continue;
		printf("%d %u", warp, words[STORED + 2]);
		for (int k = 0; k <= STORED; k++)
			printf(" %u", words[k]);
		printf("\n");
	}
}

int main(int argc, char **)
{
	size_t bytes = (size_t)1 << 30, logged = (size_t)BLOCKS * BLOCK / 32 * LOGGED * 4;
	bool print = argc > 1;
	host_log = (unsigned *)malloc(logged);
	cudaMalloc(&source, bytes);
	cudaMalloc(&target, bytes);
	cudaMalloc(&device_log, logged);
	cudaMemset(source, 0, bytes);
	cudaMemset(target, 0, bytes);
	measure<2, 0>(2, print);
	measure<2, 0>(4, print);
	measure<2, 0>(8, print);
	measure<3, 0>(3, print);
	measure<3, 0>(4, print);
	measure<4, 0>(4, print);
	measure<5, 0>(5, print);
	measure<7, 0>(7, print);
	measure<4, 0>(8, print);
	measure<8, 0>(8, print);
	measure<1, 0>(8, print);
	measure<7, 7>(7, print);
	measure<5, 8>(8, print);
	measure<4, 4>(4, print);
	measure<5, 5>(5, print);
	measure<8, 8>(8, print);
	measure<3, 3>(3, print);
	measure<2, 8>(8, print);
	measure<4, 2>(16, print);
	measure<6, 1>(6, print);
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
