/*
 * Which lines of an allocation lie in the same slice of the L2: SMs of the whole device add to one line without end, one more SM adds to other lines, one at a time, and those for which that takes
 * longer than with nobody else share the slice with it. Prints CSV: benchmarks/measured/slices-h200.csv. Of each kilobyte two places are asked for, as eight neighbouring lines lie in two slices, 0, 1, 4, 5 and 2, 3, 6, 7
 * (slices.two_lines_seconds). `cycles` is what an addition takes with nobody else: near, or in the other half of the L2. A slice is a number in the order in which they are found, for both halves.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define MEASURING_SM 0
#define LATER 100 /* cycles */
#define PLACES 4096
#define SLICES 256

static __device__ volatile int is_over;

static __global__ void add(char *hammered, char *base, const size_t *places, int count, unsigned *cycles)
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
			asm volatile("atom.global.add.u32 %0,[%1],1;" : "=r"(before) : "l"(base + places[place]) : "memory");
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

static std::vector<unsigned> measure(char *hammered, char *base, const size_t *places, unsigned *cycles)
{
	int over = 0;
	cudaMemcpyToSymbol(is_over, &over, sizeof over);
	add<<<132, 128>>>(hammered, base, places, PLACES, cycles);
	cudaDeviceSynchronize();
	return std::vector<unsigned>(cycles, cycles + PLACES);
}

int main()
{
	char *base;
	size_t *places;
	unsigned *cycles;
	cudaMalloc(&base, (size_t)PLACES * 512);
	cudaMemset(base, 0, (size_t)PLACES * 512);
	cudaMallocManaged(&places, PLACES * sizeof *places);
	cudaMallocManaged(&cycles, PLACES * sizeof *cycles);
	for (int i = 0; i < PLACES; i++)
		places[i] = (size_t)(i / 2) * 1024 + i % 2 * 256;
	std::vector<unsigned> alone = measure(nullptr, base, places, cycles), again = measure(nullptr, base, places, cycles);
	std::vector<int> slice(PLACES, -1);
	int slices = 0;
	for (int i = 0; i < PLACES && slices < SLICES; i++) {
		if (slice[i] >= 0)
			continue;
		std::vector<unsigned> busy = measure(base + places[i], base, places, cycles);
		for (int k = i; k < PLACES; k++)
			if (slice[k] < 0 && (k == i || busy[k] > std::min(alone[k], again[k]) + LATER))
				slice[k] = slices;
		slices++;
	}
	printf("offset,slice,cycles\n");
	for (int i = 0; i < PLACES; i++)
		printf("%zu,%d,%u\n", places[i], slice[i], std::min(alone[i], again[i]));
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
