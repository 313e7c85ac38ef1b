/*
 * How many loads an SM can have on their way beside so much shared memory: 32 warps load U new lines each, one word of a line or all of it, and the clock says when the last load was issued and when the last came.
 *
 *     nvcc -O3 -arch=sm_90 -o waiting waiting.cu; ./waiting >waiting.csv
 *
 * Prints CSV: bytes of shared memory of the one block (the carveout asked for is the next step above), lanes of a load that differ, whether the L2 has other data, warps, loads, cycles until all are issued, until all have come; medians of five: benchmarks/measured/waiting-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
#define FLUSHED (256 << 20)
template <int U, int LANES> __global__ void __launch_bounds__(1024) asked(const unsigned *a, unsigned *out, unsigned *cycles)
{
	extern __shared__ unsigned words[];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	const unsigned *p = a + (size_t)blockIdx.x * (1 << 20) + warp * (U * 32) + (LANES == 32 ? lane : 0);
	unsigned v[U], sum = 0;
	__syncthreads();
	unsigned start, stop, end;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(start)::"memory");
#pragma unroll
	for (int u = 0; u < U; u++)
		asm volatile("ld.global.u32 %0, [%1];" : "=r"(v[u]) : "l"(p + u * 32) : "memory");
	asm volatile("mov.u32 %0, %%clock;" : "=r"(stop)::"memory");
#pragma unroll
	for (int u = 0; u < U; u++)
		sum += v[u];
	if (sum == 12345)
		words[threadIdx.x] = sum;
	asm volatile("mov.u32 %0, %%clock;" : "=r"(end) : "r"(sum) : "memory");
	if (lane == 0) {
		cycles[(blockIdx.x * 32 + warp) * 3] = start;
		cycles[(blockIdx.x * 32 + warp) * 3 + 1] = stop;
		cycles[(blockIdx.x * 32 + warp) * 3 + 2] = end;
	}
	out[threadIdx.x] = sum;
}
static unsigned *a, *out, *cycles;
static char *flushed;
template <int U, int LANES> void run(int shared, int warps, int cold)
{
	cudaFuncSetAttribute(asked<U, LANES>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared > 49152 ? shared : 49152);
	cudaFuncSetAttribute(asked<U, LANES>, cudaFuncAttributePreferredSharedMemoryCarveout,
	                     shared ? 100 * (shared + 1024 + 2333) / 233472 : 0);
	std::vector<unsigned> is, es;
	for (int k = 0; k < 5; k++) {
		if (cold)
			cudaMemset(flushed, k, FLUSHED);
		else
			cudaMemset(a, 0, 4 << 20);
		asked<U, LANES><<<1, warps * 32, shared>>>(a, out, cycles);
		unsigned h[32 * 3];
		cudaError_t e = cudaMemcpy(h, cycles, warps * 12, cudaMemcpyDeviceToHost);
		if (e != cudaSuccess) {
			printf("%s\n", cudaGetErrorString(e));
			return;
		}
		unsigned s = ~0u, i = 0, x = 0;
		for (int w = 0; w < warps; w++)
			s = std::min(s, h[3 * w]);
		for (int w = 0; w < warps; w++)
			i = std::max(i, h[3 * w + 1] - s), x = std::max(x, h[3 * w + 2] - s);
		is.push_back(i), es.push_back(x);
	}
	std::sort(is.begin(), is.end()), std::sort(es.begin(), es.end());
	printf("%d,%d,%d,%d,%d,%u,%u\n", shared, LANES, cold, warps, U * warps, is[2], es[2]);
}
template <int LANES> void runs(int shared, int cold)
{
	run<2, LANES>(shared, 32, cold);
	run<3, LANES>(shared, 32, cold);
	run<4, LANES>(shared, 32, cold);
	run<5, LANES>(shared, 32, cold);
	run<6, LANES>(shared, 32, cold);
	run<7, LANES>(shared, 32, cold);
	run<8, LANES>(shared, 32, cold);
	run<9, LANES>(shared, 32, cold);
	run<10, LANES>(shared, 32, cold);
	run<12, LANES>(shared, 32, cold);
	run<14, LANES>(shared, 32, cold);
	run<15, LANES>(shared, 32, cold);
	run<16, LANES>(shared, 32, cold);
	run<17, LANES>(shared, 32, cold);
	run<18, LANES>(shared, 32, cold);
	run<20, LANES>(shared, 32, cold);
	run<24, LANES>(shared, 32, cold);
}
int main()
{
	cudaMalloc(&a, 64 << 20);
	cudaMalloc(&out, 4096);
	cudaMalloc(&cycles, 4096);
	cudaMalloc(&flushed, FLUSHED);
	cudaMemset(a, 0, 64 << 20);
	printf("shared_bytes,lanes,cold,warps,loads,issued_cycles,cycles\n");
	for (int cold = 0; cold < 2; cold++)
		for (int shared : {0, 64 << 10, 131 << 10, 150 << 10, 163 << 10, 195 << 10, 227 << 10}) {
			runs<1>(shared, cold);
			runs<32>(shared, cold);
		}
	return cudaDeviceSynchronize() != cudaSuccess;
}
