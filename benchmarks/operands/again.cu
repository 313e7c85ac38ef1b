/*
 * What the L2 still holds of a set that is read again and again, in the same order: passes of a kernel over sets about its size, each line by the same SM in every pass, by another SM, or by
 * all of them at once. Run under Nsight Compute, which counts the bytes of DRAM: benchmarks/measured/again-h200.csv.
 */
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define THREADS 1024
#define PASSES 8

/* Reads the set PASSES times past the L1. Of the lines of a pass each block has a part: its own, or that of the block `shift` further for each pass; or all. */
static __global__ void __launch_bounds__(THREADS) read_again(const uint4 *set, size_t words, unsigned shift, bool all, uint4 *sink)
{
	uint4 sum = {0, 0, 0, 0};
	for (unsigned pass = 0; pass < PASSES; pass++) {
		size_t blocks = all ? 1 : gridDim.x, block = all ? 0 : (blockIdx.x + pass * shift) % gridDim.x;
#pragma unroll 4
		for (size_t i = block * THREADS + threadIdx.x; i < words; i += blocks * THREADS) {
			uint4 word;
			asm volatile("ld.global.cg.v4.u32 {%0,%1,%2,%3},[%4];"
			             : "=r"(word.x), "=r"(word.y), "=r"(word.z), "=r"(word.w)
			             : "l"(set + i));
			sum.x += word.x ^ word.y ^ word.z ^ word.w;
		}
	}
	if (sum.x == 12345)
		*sink = sum;
}

int main()
{
	static const unsigned megabytes[] = {16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64, 72, 80, 96, 112, 128, 160};
	int sms;
	uint4 *set, *sink;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&set, (size_t)160 << 20);
	cudaMalloc(&sink, sizeof *sink);
	cudaMemset(set, 0, (size_t)160 << 20);
	for (unsigned size : megabytes) {
		size_t words = ((size_t)size << 20) / sizeof *set;
		read_again<<<2 * sms, THREADS>>>(set, words, 0, false, sink);
		read_again<<<2 * sms, THREADS>>>(set, words, 1, false, sink);
		read_again<<<2 * sms, THREADS>>>(set, words, 37, false, sink);
		if (size <= 96)
			read_again<<<sms, THREADS>>>(set, words, 0, true, sink);
	}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
