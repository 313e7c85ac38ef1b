/*
 * Which slices of the L2 the first lines of several allocations of one process lie in, with the same numbers for all of them, as slices.cu finds it out for one: of each kilobyte two groups of two lines. Prints CSV: benchmarks/measured/placing-h200.csv.
 *
 *     ./placing MODE     24 arrays of 20 MB (big), of 2 MB (page), of 64 KB (small), or of 20 MB behind one of 120 MB (behind)
 */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define MEASURING_SM 0
#define LATER 100 /* cycles */
#define ARRAYS 24
#define GROUPS 128 /* of two lines, of each array */
#define PLACES (ARRAYS * GROUPS)

static __device__ volatile int is_over;

static __global__ void add(char *hammered, char *const *places, int count, unsigned *cycles)
{
	unsigned sm, start, end, before;
	asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
	if (sm != MEASURING_SM) {
		while (hammered && sm % 12 == 5 && threadIdx.x % 32 < 4 && !is_over)
			for (int i = 0; i < 8; i++)
				asm volatile("red.global.add.u32 [%0],%1;" ::"l"(hammered), "r"(1) : "memory");
		return;
	}
	for (int i = 0; i < 100; i++)
		__nanosleep(100);
	for (int place = 0; threadIdx.x == 0 && place < count; place++) {
		unsigned least = ~0u;
		for (int round = 0; round < 3; round++) {
			asm volatile("mov.u32 %0,%%clock;" : "=r"(start)::"memory");
			asm volatile("atom.global.add.u32 %0,[%1],1;" : "=r"(before) : "l"(places[place]) : "memory");
			if (before == ~0u)
				cycles[0] = 0;
			asm volatile("mov.u32 %0,%%clock;" : "=r"(end)::"memory");
			least = min(least, end - start);
		}
		cycles[place] = least;
	}
	if (threadIdx.x == 0)
		is_over = 1;
}

static std::vector<unsigned> measure(char *hammered, char *const *places, unsigned *cycles)
{
	int over = 0;
	cudaMemcpyToSymbol(is_over, &over, sizeof over);
	add<<<132, 128>>>(hammered, places, PLACES, cycles);
	cudaDeviceSynchronize();
	return std::vector<unsigned>(cycles, cycles + PLACES);
}

int main(int count, char **arguments)
{
	const char *mode = count > 1 ? arguments[1] : "big";
	size_t bytes = !strcmp(mode, "small") ? 65536 : !strcmp(mode, "page") ? 2 << 20 : 20000000;
	char *arrays[ARRAYS], *scratch, **places;
	unsigned *cycles;
	if (!strcmp(mode, "behind"))
		cudaMalloc(&scratch, 120000000);
	for (int a = 0; a < ARRAYS; a++) {
		cudaMalloc(&arrays[a], bytes);
		cudaMemset(arrays[a], 0, bytes);
	}
	cudaMallocManaged(&places, PLACES * sizeof *places);
	cudaMallocManaged(&cycles, PLACES * sizeof *cycles);
	for (int i = 0; i < PLACES; i++)
		places[i] = arrays[i / GROUPS] + (size_t)(i % GROUPS / 2) * 1024 + i % 2 * 256;
	std::vector<unsigned> first = measure(nullptr, places, cycles), again = measure(nullptr, places, cycles);
	std::vector<int> slice(PLACES, -1);
	int slices = 0;
	for (int i = 0; i < PLACES; i++)
		first[i] = std::min(first[i], again[i]);
	for (int i = 0; i < PLACES && slices < 96; i++) {
		if (slice[i] >= 0)
			continue;
		std::vector<unsigned> busy = measure(places[i], places, cycles);
		for (int k = i; k < PLACES; k++)
			if (slice[k] < 0 && (k == i || busy[k] > first[k] + LATER))
				slice[k] = slices;
		slices++;
	}
	printf("mode,array,slices\n");
	for (int i = 0; i < PLACES; i++) {
		if (i % GROUPS == 0)
			printf("%s,%d,", mode, i / GROUPS);
		printf("%d%c", slice[i], i % GROUPS + 1 < GROUPS ? ' ' : '\n');
	}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
