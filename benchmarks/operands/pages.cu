/*
 * What the first load from a page costs the first SM that asks, and the others after it: SMs take turns, each loads a line of its own from each page and then another one beside it. Prints CSV, cycles
 * of the median page: benchmarks/measured/pages-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define PAGES 256
#define PAGE_BYTES ((size_t)2 << 20)

static __global__ void touch_pages(const char *memory, volatile unsigned *turn, unsigned *first, unsigned *again, unsigned *sm,
                                   unsigned *sink)
{
	unsigned sum = 0, id;
	asm volatile("mov.u32 %0,%%smid;" : "=r"(id));
	sm[blockIdx.x] = id;
	while (*turn != blockIdx.x)
		__nanosleep(200);
	for (int p = 0; p < PAGES; p++)
		for (int k = 0; k < 2; k++) {
			const char *place = memory + p * PAGE_BYTES + blockIdx.x * 2048 + k * 512 * 1024 + (sum & 4);
			unsigned start = clock(), word;
			asm volatile("ld.global.u32 %0,[%1];" : "=r"(word) : "l"(place) : "memory");
			sum += word;
			asm volatile("" ::"r"(sum));
			unsigned wait = sum == 12345;
			unsigned end = clock() + wait;
			(k ? again : first)[blockIdx.x * PAGES + p] = end - start;
		}
	*sink = sum;
	__threadfence();
	*turn = blockIdx.x + 1;
}

int main()
{
	int sms;
	char *memory, *flush;
	unsigned *turn, *first, *again, *sm, *sink;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&memory, PAGES * PAGE_BYTES);
	cudaMalloc(&flush, (size_t)8 << 30);
	cudaMallocManaged(&first, sms * PAGES * 4);
	cudaMallocManaged(&again, sms * PAGES * 4);
	cudaMallocManaged(&sm, sms * 4);
	cudaMalloc(&turn, 4);
	cudaMalloc(&sink, 4);
	cudaMemset(memory, 0, PAGES * PAGE_BYTES);
	cudaMemset(flush, 0, (size_t)8 << 30);
	cudaMemset(turn, 0, 4);
	touch_pages<<<sms, 1>>>(memory, turn, first, again, sm, sink);
	cudaError_t error = cudaDeviceSynchronize();
	printf("turn,sm,first,again,first_mean,again_mean,first_most,again_most\n");
	for (int b = 0; b < sms; b++) {
		std::sort(first + b * PAGES, first + (b + 1) * PAGES);
		std::sort(again + b * PAGES, again + (b + 1) * PAGES);
		double sums[2] = {0, 0};
		for (int p = 0; p < PAGES; p++) {
			sums[0] += first[b * PAGES + p];
			sums[1] += again[b * PAGES + p];
		}
		printf("%d,%u,%u,%u,%.1f,%.1f,%u,%u\n", b, sm[b], first[b * PAGES + PAGES / 2], again[b * PAGES + PAGES / 2],
		       sums[0] / PAGES, sums[1] / PAGES, first[(b + 1) * PAGES - 1], again[(b + 1) * PAGES - 1]);
	}
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
