/*
 * A run of 128 or 64 bytes in each tile of so many bytes, read or written: what lines cost that are touched in part, as tiles that do not end with a line have them. 2^21 runs, after another
 * 128 MiB were written. Prints CSV: benchmarks/measured/straddling-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define THREADS 256
#define RUNS (1u << 21)
#define EACH 8

template <bool WRITE, typename WORD>
static __global__ void __launch_bounds__(THREADS) touch(char *p, unsigned tile, unsigned offset, WORD *sink)
{
	unsigned warp = (blockIdx.x * THREADS + threadIdx.x) / 32, lane = threadIdx.x % 32;
	WORD sum = 0;
#pragma unroll
	for (unsigned k = 0; k < EACH; k++) {
		WORD *word = (WORD *)(p + (size_t)(warp + k * (RUNS / EACH)) * tile + offset + lane * sizeof(WORD));
		if (WRITE)
			*word = (WORD)warp;
		else
			sum += *word;
	}
	if (!WRITE && sum == (WORD)12345)
		*sink = 1;
}

static __global__ void evict(float4 *p, size_t n)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
		p[i] = make_float4(1, 2, 3, 4);
}

template <bool WRITE, typename WORD> static void measure(char *p, char *scratch, const char *name)
{
	for (unsigned tile : {256u, 512u, 544u, 576u, 608u, 640u, 896u, 928u, 960u, 992u, 1024u, 1056u, 1088u, 1120u, 1152u})
		for (unsigned offset : {0u, 32u, 64u, 96u}) {
			std::vector<float> t;
			cudaEvent_t a, b;
			cudaEventCreate(&a);
			cudaEventCreate(&b);
			for (int k = 0; k < 7; k++) {
				evict<<<1024, 256>>>((float4 *)scratch, (size_t)128 << 16);
				cudaEventRecord(a);
				touch<WRITE, WORD><<<RUNS / EACH * 32 / THREADS, THREADS>>>(p, tile, offset, (WORD *)scratch);
				cudaEventRecord(b);
				cudaEventSynchronize(b);
				float ms;
				cudaEventElapsedTime(&ms, a, b);
				t.push_back(ms * 1000);
			}
			std::sort(t.begin(), t.end());
			printf("%s,%u,%u,%.2f\n", name, tile, offset, t[3]);
		}
}

int main()
{
	char *p, *scratch;
	cudaMalloc(&p, (size_t)RUNS * 1152 + 4096);
	cudaMemset(p, 0, (size_t)RUNS * 1152 + 4096);
	cudaMalloc(&scratch, (size_t)128 << 20);
	printf("what,tile_bytes,offset,us\n");
	measure<true, float>(p, scratch, "write 128");
	measure<true, unsigned short>(p, scratch, "write 64");
	measure<false, float>(p, scratch, "read 128");
	measure<false, unsigned short>(p, scratch, "read 64");
}
