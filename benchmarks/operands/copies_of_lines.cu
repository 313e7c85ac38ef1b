/*
 * What a line costs that another SM has fetched: the L2 is filled with other lines, one SM loads 1024 lines from DRAM, then another one loads them, a load that waits for the last one each, then the first one again.
 * Prints CSV: the SM that fetches, the one that loads, mean cycles of a load from DRAM by the first, of each line by the second, and once more, and by the first again; then how many of the second's loads take more than 100, 200, 300, 400 cycles longer than the least.
 */
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define LINES 1024
static __global__ void load(const unsigned *chase, unsigned sm, unsigned short *cycles)
{
	unsigned own, at = 0;
	asm("mov.u32 %0, %%smid;" : "=r"(own));
	if (own != sm)
		return;
	for (int i = 0; i < LINES; i++) {
		unsigned begin, end, next;
		asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
		asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(next) : "l"(chase + at * 32) : "memory");
		asm volatile("{.reg .pred q; setp.eq.u32 q, %1, 0xffffffff; @q trap; mov.u32 %0, %%clock;}"
		             : "=r"(end)
		             : "r"(next)
		             : "memory");
		cycles[at] = (unsigned short)(end - begin);
		at = next;
	}
}
static __global__ void drive(const uint4 *scratch, size_t count, unsigned *sink)
{
	unsigned sum = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		sum += scratch[i].x;
	if (sum == 12345)
		*sink = sum;
}
static unsigned *chase, *sink;
static uint4 *scratch;
static unsigned short *cycles;
static std::vector<unsigned short> run(unsigned sm)
{
	std::vector<unsigned short> each(LINES);
	load<<<264, 1, 100 * 1024>>>(chase, sm, cycles);
	cudaMemcpy(each.data(), cycles, LINES * 2, cudaMemcpyDeviceToHost);
	return each;
}
static double mean(const std::vector<unsigned short> &each)
{
	double sum = 0;
	for (unsigned short one : each)
		sum += one;
	return sum / each.size();
}
int main()
{
	int sms;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&chase, LINES * 128 * 64);
	cudaMalloc(&scratch, 256 << 20);
	cudaMalloc(&cycles, LINES * 2);
	cudaMalloc(&sink, 4);
	cudaMemset(scratch, 0, 256 << 20);
	cudaFuncSetAttribute(load, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024);
	std::vector<unsigned> links(LINES * 32), order(LINES);
	unsigned state = 1;
	for (unsigned i = 0; i < LINES; i++)
		order[i] = i;
	for (unsigned i = LINES; i > 1; i--) {
		state = state * 1664525u + 1013904223u;
		std::swap(order[i - 1], order[(state >> 8) % i]);
	}
	for (unsigned i = 0; i < LINES; i++)
		links[order[i] * 32] = order[(i + 1) % LINES];
	cudaMemcpy(chase, links.data(), links.size() * 4, cudaMemcpyHostToDevice);
	printf("first,second,dram,second_us,once_more,first_again,over_100,over_200,over_300,over_400\n");
	for (unsigned first : {0u, 17u})
		for (unsigned second = 1; second < (unsigned)sms; second += 5) {
			if (second == first)
				continue;
			drive<<<528, 512>>>(scratch, (256 << 20) / 16, sink);
			std::vector<unsigned short> dram = run(first), other = run(second), more = run(second), again = run(first);
			unsigned least = *std::min_element(other.begin(), other.end()), over[4] = {0, 0, 0, 0};
			for (unsigned short one : other)
				for (int i = 0; i < 4; i++)
					over[i] += one > least + 100 * (i + 1);
			printf("%u,%u,%.1f,%.1f,%.1f,%.1f,%u,%u,%u,%u\n", first, second, mean(dram), mean(other), mean(more),
			       mean(again), over[0], over[1], over[2], over[3]);
		}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
