/*
 * A loop of 128 independent multiplications of floats and one taken branch, 131 instructions, by 1 to 9 warps of a scheduler: which place each warp of blocks of 1 to 12 warps has in its SM (%warpid,
 * of which the lower two bits are its scheduler), and when it begins and ends its 50 trips. Prints CSV, cycles from the SM's first one on, of three SMs: benchmarks/measured/branches-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>

#define MOST_WARPS 20000
#define TRIPS 50

static __global__ void __launch_bounds__(1024) where(int *places, long long *clocks, float *out, int trips)
{
	int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, place, sm;
	asm volatile("mov.u32 %0,%%warpid;" : "=r"(place));
	asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
	float x = threadIdx.x, y = x + 1, z = y + 1, u = z + 1;
	long long start = clock64();
	for (int r = 0; r < trips; r++)
#pragma unroll
		for (int i = 0; i < 32; i++) {
			asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(x));
			asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(y));
			asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(z));
			asm volatile("fma.rn.f32 %0,%0,%0,%0;" : "+f"(u));
		}
	long long end = clock64();
	if (threadIdx.x % 32 == 0) {
		places[warp] = sm * 64 + place;
		clocks[2 * warp] = start;
		clocks[2 * warp + 1] = end;
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = x + y + z + u;
}

int main()
{
	static int places[MOST_WARPS];
	static long long clocks[2 * MOST_WARPS];
	static const int shapes[][2] = {{132, 3}, {264, 3}, {396, 3}, {660, 3},  {264, 1},  {396, 1}, {660, 1}, {264, 2},
	                                {396, 2}, {264, 5}, {396, 5}, {264, 6},  {352, 6},  {396, 6}, {528, 6}, {264, 7},
	                                {396, 7}, {264, 9}, {396, 9}, {264, 10}, {396, 10}, {264, 12}};
	int *on_places;
	long long *on_clocks;
	float *out;
	cudaMalloc(&on_places, sizeof places);
	cudaMalloc(&on_clocks, sizeof clocks);
	cudaMalloc(&out, 4 << 20);
	printf("blocks,warps,sm,block,warp,place,begins,ends\n");
	for (auto &shape : shapes) {
		int blocks = shape[0], warps = shape[1];
		for (int run = 0; run < 2; run++)
			where<<<blocks, 32 * warps>>>(on_places, on_clocks, out, TRIPS);
		cudaMemcpy(places, on_places, sizeof places, cudaMemcpyDeviceToHost);
		cudaMemcpy(clocks, on_clocks, sizeof clocks, cudaMemcpyDeviceToHost);
		for (int sm = 5; sm < 8; sm++) {
			long long first = 1ll << 62;
			for (int w = 0; w < blocks * warps; w++)
				if (places[w] / 64 == sm)
					first = std::min(first, clocks[2 * w]);
			for (int w = 0; w < blocks * warps; w++)
				if (places[w] / 64 == sm)
					printf("%d,%d,%d,%d,%d,%d,%lld,%lld\n", blocks, warps, sm, w / warps, w % warps,
					       places[w] % 64, clocks[2 * w] - first, clocks[2 * w + 1] - first);
		}
	}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
