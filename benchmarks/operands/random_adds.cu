/* Atomic additions to words in random order, one in each sector of a set, or each word of it, after a kernel that left the L2 full of other data. */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
#define THREADS 256
template <class word> static __global__ void __launch_bounds__(THREADS) add(char *base, unsigned count, unsigned step, unsigned n)
{
	unsigned i = blockIdx.x * THREADS + threadIdx.x, x = i;
	if (i >= n)
		return;
	x = (x ^ (x >> 16)) * 0x7feb352du;
	x = (x ^ (x >> 15)) * 0x846ca68bu;
	x ^= x >> 16;
	atomicAdd((word *)(base + (size_t)(x & (count - 1)) * step), (word)1);
}
__global__ void flush(float *f, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		f[i] = i;
}
char *p;
float *f;
template <class word> void run(const char *name)
{
	cudaEvent_t a, b;
	cudaEventCreate(&a);
	cudaEventCreate(&b);
	for (unsigned step : {8u, 32u, 64u})
		for (unsigned mb = 1; mb <= 512; mb *= 2)
			for (unsigned n : {1u << 18, 1u << 20, 1u << 22, 1u << 24}) {
				unsigned count = (mb << 20) / step;
				std::vector<float> cold, warm;
				for (int r = 0; r < 7; r++) {
					float ms;
					flush<<<1024, 256>>>(f, 60 << 20);
					for (int again = 0; again < 2; again++) {
						cudaEventRecord(a);
						add<word><<<(n + THREADS - 1) / THREADS, THREADS>>>(p, count, step, n);
						cudaEventRecord(b);
						cudaEventSynchronize(b);
						cudaEventElapsedTime(&ms, a, b);
						(again ? warm : cold).push_back(ms * 1e3f);
					}
				}
				std::sort(cold.begin(), cold.end());
				std::sort(warm.begin(), warm.end());
				printf("%s,%u,%u,%u,%.1f,%.1f\n", name, step, mb, n, cold[3], warm[3]);
			}
}
int main()
{
	cudaMalloc(&p, 1u << 30);
	cudaMalloc(&f, 256 << 20);
	cudaMemset(p, 0, 1u << 30);
	printf("word,bytes_apart,set_mib,additions,us_cold,us_again\n");
	run<unsigned>("u32");
	run<float>("f32");
	run<double>("f64");
}
