/*
 * Which instructions share a pipe: four chains of steps, each an addition of a constant (VIADD), a logical one (LOP3), a shift (SHF), a multiply-addition of integers (IMAD), where wanted, and
 * multiplications of floats beside; and functions of floats that ptxas writes out. Prints CSV, cycles of a scheduler for a step, with 8 warps on each (or so many on the SM):
 * benchmarks/measured/units-h200.csv.
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

enum { POWER, RECIPROCAL, DIVISION, ROOT };

/* Functions that ptxas writes out: MUFU alone; with corrections and a branch past the slow path; division with FCHK beside. */
template <int WHICH> static __global__ void __launch_bounds__(1024) functions(float *out, float x, long long *clocks)
{
	float f[CHAINS];
	for (int c = 0; c < CHAINS; c++)
		f[c] = 1.0f + (threadIdx.x + c) * 0.001f;
	__syncthreads();
	long long start = clock64();
	for (int r = 0; r < ROUNDS; r++)
#pragma unroll
		for (int i = 0; i < STEPS; i++) {
			if (WHICH == POWER)
				asm volatile("ex2.approx.ftz.f32 %0,%0;" : "+f"(f[i % CHAINS]));
			else if (WHICH == RECIPROCAL)
				asm volatile("rcp.rn.f32 %0,%0;" : "+f"(f[i % CHAINS]));
			else if (WHICH == DIVISION)
				asm volatile("div.rn.f32 %0,%1,%0;" : "+f"(f[i % CHAINS]) : "f"(x));
			else
				asm volatile("sqrt.rn.f32 %0,%0;" : "+f"(f[i % CHAINS]));
		}
	__syncthreads();
	long long end = clock64();
	out[blockIdx.x * 1024 + threadIdx.x] = f[0] + f[1] + f[2] + f[3];
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
	printf("function,warps,cycles\n");
#define FUNCTION(WHICH, WARPS)                                                                                            \
	for (int i = 0; i < 2; i++)                                                                                       \
		functions<WHICH><<<132, WARPS * 32>>>((float *)out, 1.5f, clocks);                                        \
	cudaMemcpy(&own, clocks, sizeof own, cudaMemcpyDeviceToHost);                                                     \
	printf(#WHICH ",%d,%.3f\n", WARPS, (double)own / ROUNDS / STEPS / (WARPS < 4 ? 1 : WARPS / 4));
#define FUNCTIONS(WARPS) FUNCTION(POWER, WARPS) FUNCTION(RECIPROCAL, WARPS) FUNCTION(DIVISION, WARPS) FUNCTION(ROOT, WARPS)
	FUNCTIONS(1)
	FUNCTIONS(8)
	FUNCTIONS(16)
	FUNCTIONS(32)
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
