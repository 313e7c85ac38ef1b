/*
 * Which instructions share a pipe: four chains of steps, each an addition of a constant (VIADD), a logical one (LOP3), a shift (SHF), a multiply-addition of integers (IMAD), where wanted, and
 * multiplications of floats beside. Prints CSV, cycles of a scheduler for a step, with 8 warps on each: benchmarks/measured/units-h200.csv.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define ROUNDS 256
#define STEPS 16
#define CHAINS 4

template <int ADDS, int LOGICS, int SHIFTS, int MULTIPLIES, int FLOATS> static __global__ void __launch_bounds__(1024) units(int *out, int x, int y, long long *clocks)
{
	int v[CHAINS];
	float f[CHAINS];
	for (int c = 0; c < CHAINS; c++) {
		v[c] = threadIdx.x * (c + 3);
		f[c] = (float)(threadIdx.x + c);
	}
	__syncthreads();
	long long start = clock64();
	for (int r = 0; r < ROUNDS; r++)
#pragma unroll
		for (int i = 0; i < STEPS; i++) {
			if (ADDS)
				asm volatile("add.s32 %0,%0,12345;" : "+r"(v[i % CHAINS]));
			if (LOGICS)
				asm volatile("xor.b32 %0,%0,%1;" : "+r"(v[i % CHAINS]) : "r"(y));
			if (SHIFTS)
				asm volatile("shf.l.wrap.b32 %0,%0,%1,7;" : "+r"(v[i % CHAINS]) : "r"(y));
			if (MULTIPLIES)
				asm volatile("mad.lo.s32 %0,%0,%1,%2;" : "+r"(v[i % CHAINS]) : "r"(x), "r"(y));
#pragma unroll
			for (int s = 0; s < FLOATS; s++)
				asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(f[(i + s) % CHAINS]));
		}
	__syncthreads();
	long long end = clock64();
	int sum = 0;
	for (int c = 0; c < CHAINS; c++)
		sum += v[c] + (int)f[c];
	out[blockIdx.x * 1024 + threadIdx.x] = sum;
	clocks[blockIdx.x] = end - start;
}

int main()
{
	int *out;
	long long *clocks, own;
	cudaMalloc(&out, 132 * 1024 * sizeof *out);
	cudaMalloc(&clocks, 132 * sizeof *clocks);
	printf("adds,logics,shifts,multiplies,floats,cycles\n");
#define RUN(ADDS, LOGICS, SHIFTS, MULTIPLIES, FLOATS)                                                                     \
	for (int i = 0; i < 2; i++)                                                                                       \
		units<ADDS, LOGICS, SHIFTS, MULTIPLIES, FLOATS><<<132, 1024>>>(out, 3, 5, clocks);                        \
	cudaMemcpy(&own, clocks, sizeof own, cudaMemcpyDeviceToHost);                                                     \
	printf("%d,%d,%d,%d,%d,%.3f\n", ADDS, LOGICS, SHIFTS, MULTIPLIES, FLOATS, (double)own / ROUNDS / STEPS / 8);
	RUN(1, 1, 0, 0, 0)
	RUN(1, 0, 1, 0, 0)
	RUN(0, 1, 1, 0, 0)
	RUN(1, 1, 1, 0, 0)
	RUN(1, 1, 0, 1, 0)
	RUN(0, 1, 0, 1, 0)
	RUN(1, 1, 1, 1, 0)
	RUN(0, 0, 0, 1, 0)
	RUN(0, 0, 1, 0, 0)
	RUN(0, 0, 0, 0, 1)
	RUN(1, 1, 0, 0, 1)
	RUN(1, 1, 0, 0, 2)
	RUN(1, 1, 0, 0, 3)
	RUN(0, 1, 1, 0, 1)
	RUN(0, 1, 1, 0, 2)
	RUN(0, 1, 1, 0, 3)
	RUN(0, 0, 0, 1, 1)
	RUN(0, 0, 0, 1, 2)
	RUN(0, 1, 0, 1, 1)
	RUN(1, 1, 0, 1, 1)
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
