/*
 * Words of constant memory that loops come to by a number: the same for all lanes in a uniform register or a register, or other ones for each lane, or known when the kernel is compiled; by 1 to 64 warps of an SM, of tables of 256 bytes to 64 KB.
 *
 *     nvcc -O3 -arch=sm_90 -o constants constants.cu; ./constants >constants.csv
 *
 * Prints CSV: how, bytes of the table, warps of an SM, cycles of a warp for a word, and of the SM: benchmarks/measured/constants-h100.csv.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define MOST 16384 /* words */
#define TIMES 16384

__constant__ float words[MOST];

enum how { UNIFORM, REGISTER, LANES_2, LANES_4, LANES_32, KNOWN, STRIDED };

template <enum how HOW> static __global__ void __launch_bounds__(1024) load(float *out, int mask, int zero, long long *cycles)
{
	float sum = 0, x = threadIdx.x;
	int lane = threadIdx.x % 32, own = HOW == LANES_2 ? lane % 2 : HOW == LANES_4 ? lane % 4 : HOW == LANES_32 ? lane : threadIdx.x * zero;
	for (int turn = 0; turn < 2; turn++) {
		long long begin = clock64();
		if (HOW == KNOWN) {
			for (int k = 0; k < TIMES / 64; k++)
#pragma unroll
				for (int i = 0; i < 64; i++)
					sum += words[i] * (x + k);
		} else if (HOW == UNIFORM) {
#pragma unroll 1
			for (int t = 0; t < TIMES; t += mask + 1)
				for (int k = 0; k <= mask; k++)
					sum += words[k] * x;
		} else if (HOW == STRIDED) {
#pragma unroll 1
			for (int t = 0; t < TIMES; t += (mask + 1) / 4)
				for (int k = 0; k <= mask; k += 4)
					sum += words[k] * x;
		} else {
#pragma unroll 8
			for (int k = 0; k < TIMES; k++)
				sum += words[(k + own) & mask] * x;
		}
		if (lane == 0)
			cycles[blockIdx.x * 64 + (blockIdx.y * blockDim.x + threadIdx.x) / 32] = clock64() - begin;
	}
	out[(blockIdx.x * gridDim.y + blockIdx.y) * blockDim.x + threadIdx.x] = sum;
}

template <enum how HOW> static void measure(const char *name)
{
	static float *out;
	static long long *cycles, each[64];
	if (!out) {
		cudaMalloc(&out, 132 * 2048 * sizeof *out);
		cudaMalloc(&cycles, 132 * sizeof each);
	}
	for (int bytes = 256; bytes <= MOST * 4; bytes *= 4)
		for (int warps = 1; warps <= 32; warps *= 2) {
			double sum = 0;
			load<HOW><<<132, warps * 32>>>(out, bytes / 4 - 1, 0, cycles);
			cudaMemcpy(each, cycles, sizeof each, cudaMemcpyDeviceToHost);
			for (int w = 0; w < warps; w++)
				sum += (double)each[w] / warps / TIMES;
			printf("%s,%d,%d,%.2f,%.2f\n", name, bytes, warps, sum, sum / warps);
		}
}

int main()
{
	printf("how,bytes,warps,cycles,sm_cycles\n");
	measure<UNIFORM>("uniform");
	measure<STRIDED>("every fourth");
	measure<REGISTER>("register");
	measure<LANES_2>("2 words");
	measure<LANES_4>("4 words");
	measure<LANES_32>("32 words");
	measure<KNOWN>("known");
	return 0;
}
