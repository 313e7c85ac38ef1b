/*
 * Walks through records that lie in the L1, all warps through the same ones, by blocks of every size that up to 64 warps of an SM can be divided into: 18 loads and two sums, or 12 and four, for two or four records a trip.
 * Prints CSV, cycles a record from the first warp's beginning to the last one's end, the median of all SMs in three runs: benchmarks/measured/ends-h200.csv. `ends warps`: of some of these one SM, when each
 * warp has ended after the first one's beginning, in cycles: benchmarks/measured/ends-warps-h200.csv.
 *
 * words of a record, all of which are read; form: 0 records, 1 tiles of 32.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>
#define SMS 132
#define RECORDS 4000
#define WARPS 64
#define SHOWN 7 /* SM */

template <int WORDS, int TILES>
static __global__ void __launch_bounds__(1024) walk(const float *p, const float *x0, float *out, int m, int n, int stride, long long *clocks)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float y = x0[i];
	float sum = 0.0f;
	int count = 0;
	long long begin = clock64();
	for (int j = 0; j < m; j++) {
		float x = 0.25f;
		int k = 1;
#pragma unroll
		for (int w = 0; w < WORDS; w++)
			x += 0.75f * (TILES ? p[(j >> 5) * stride + w * 32 + (j & 31)] : p[(j & 31) * WORDS + w]);
		float d = x - y;
		sum += d * d + 0.5f;
		count += k;
	}
	long long end = clock64();
	out[i] = (float)(sum + count);
	if (threadIdx.x % 32 == 0) {
		int sm;
		asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
		clocks[i / 32 * 3] = begin, clocks[i / 32 * 3 + 1] = end, clocks[i / 32 * 3 + 2] = sm;
	}
}

static float *p, *x0, *out;
static long long host[SMS * WARPS * 3], *clocks;

/* All warps' clocks, one launch. */
template <int WORDS, int TILES> static void launch(int blocks, int warps)
{
	int threads = warps / blocks * 32, count = SMS * blocks;
	walk<WORDS, TILES><<<count, threads>>>(p, x0, out, RECORDS, count * threads, 0, clocks);
	cudaMemcpy(host, clocks, sizeof *host * 3 * SMS * warps, cudaMemcpyDeviceToHost);
}

template <int WORDS, int TILES> static void shapes()
{
	for (int warps : {1, 2, 3, 4, 6, 8, 10, 12, 14, 16, 18, 20, 24, 28, 32, 36, 40, 48, 56, 64})
		for (int blocks = 1; blocks <= std::min(32, warps); blocks++) {
			if (warps % blocks || warps / blocks > 32)
				continue;
			std::vector<double> all;
			for (int r = 0; r < 3; r++) {
				launch<WORDS, TILES>(blocks, warps);
				long long begin[SMS], end[SMS] = {0};
				int count[SMS] = {0};
				std::fill(begin, begin + SMS, 1ll << 62);
				for (int w = 0; w < SMS * warps; w++) {
					int sm = host[w * 3 + 2];
					begin[sm] = std::min(begin[sm], host[w * 3]), end[sm] = std::max(end[sm], host[w * 3 + 1]), count[sm]++;
				}
				for (int sm = 0; sm < SMS; sm++)
					if (count[sm] == warps)
						all.push_back((double)(end[sm] - begin[sm]) / RECORDS);
			}
			std::sort(all.begin(), all.end());
			if (!all.empty())
				printf("%d,%d,%d,%d,%.2f\n", WORDS, TILES, blocks, warps / blocks * 32, all[all.size() / 2]);
		}
}

template <int WORDS, int TILES> static void ends()
{
	static const int chosen[][2] = {{8, 8}, {1, 12}, {12, 12}, {1, 16}, {4, 16}, {16, 16}, {1, 18}, {3, 18}, {18, 18}, {1, 24}, {2, 24}, {8, 24}, {24, 24}, {1, 32}, {8, 32}, {32, 32}};
	for (auto &shape : chosen) {
		int blocks = shape[0], warps = shape[1];
		long long begin = 1ll << 62;
		launch<WORDS, TILES>(blocks, warps);
		for (int w = 0; w < SMS * warps; w++)
			if (host[w * 3 + 2] == SHOWN)
				begin = std::min(begin, host[w * 3]);
		for (int w = 0, number = 0; w < SMS * warps; w++)
			if (host[w * 3 + 2] == SHOWN)
				printf("%d,%d,%d,%d,%d,%lld\n", WORDS, TILES, blocks, warps / blocks * 32, number++, host[w * 3 + 1] - begin);
	}
}

int main(int argc, char **)
{
	cudaMalloc(&p, 64 << 20);
	cudaMalloc(&x0, 4 << 20);
	cudaMalloc(&out, 4 << 20);
	cudaMalloc(&clocks, sizeof host);
	cudaMemset(p, 0, 64 << 20);
	cudaMemset(x0, 0, 4 << 20);
	if (argc > 1) {
		printf("words,form,blocks,threads,warp,end\n");
		ends<9, 1>();
		ends<3, 1>();
	} else {
		printf("words,form,blocks,threads,cycles\n");
		shapes<9, 1>();
		shapes<3, 1>();
		shapes<9, 0>();
	}
	return cudaDeviceSynchronize() != cudaSuccess;
}
