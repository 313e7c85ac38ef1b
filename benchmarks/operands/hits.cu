/*
 * How long a load that the L2 has waits while the L2 is busy: on each SM one warp goes from line to line of 8 MB, each a load that waits for the last one; others of it load or store lines or single sectors of 16 MB that the L2 has, as often as a pause lets them.
 * Prints CSV: what the others do (0 nothing, 1 load lines, 2 load a sector of each line, 3 store lines, 4 load and store lines by turns, 5 load lines from DRAM, 6 copy lines in DRAM), warps of an SM that do, their pause in cycles,
 * sectors a second of them on all SMs, the mean, median, ninth tenth and 99th hundredth of the walk's loads in cycles.
 */
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
#define STEPS 1500
#define KEPT 1000
#define NEAR (16u << 20)
#define FAR (1u << 30)
#define CHASE (8u << 20)
static __global__ void walk(const unsigned *chase, char *near, char *far, int what, int pause, unsigned short *steps,
                            unsigned long long *accesses, unsigned long long *cycles, unsigned *sink)
{
	__shared__ volatile int over;
	unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
	if (threadIdx.x == 0)
		over = 0;
	__syncthreads();
	if (warp == 0) {
		unsigned at = (blockIdx.x * 977) % (CHASE / 128);
		for (int i = 0; i < STEPS; i++) {
			unsigned begin, end, next;
			asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
			asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(next) : "l"(chase + at * 32) : "memory");
			asm volatile("{.reg .pred q; setp.eq.u32 q, %1, 0xffffffff; @q trap; mov.u32 %0, %%clock;}"
			             : "=r"(end)
			             : "r"(next)
			             : "memory");
			at = next;
			if (lane == 0 && i >= STEPS - KEPT)
				steps[blockIdx.x * KEPT + i - (STEPS - KEPT)] = (unsigned short)(end - begin);
		}
		if (lane == 0)
			over = 1;
		return;
	}
	unsigned long long begin = clock64(), count = 0;
	unsigned state = (blockIdx.x * 64 + warp) * 2654435761u, sum = 0;
	size_t place = ((size_t)blockIdx.x * (blockDim.x / 32 - 1) + warp - 1) * 128 * 4;
	while (!over && what) {
		state = state * 1664525u + 1013904223u;
		for (int k = 0; k < 4; k++) {
			char *p = what >= 5 ? far + (place + k * 128) % FAR : near + ((size_t)(state >> 7) * 512 + k * 128) % NEAR;
			if (what == 2)
				p = near + (((size_t)(state >> 7) * 32 + lane) * 128 + k * 32) % NEAR;
			else
				p += lane * 4;
			if (what == 3 || (what == 4 && k % 2))
				*(volatile unsigned *)p = state;
			else if (what == 2 && lane >= 4)
				continue;
			else
				sum += __ldcg((const unsigned *)p);
			if (what == 6)
				*(volatile unsigned *)(p + FAR) = state;
		}
		place += (size_t)gridDim.x * (blockDim.x / 32 - 1) * 512;
		count += what == 6 ? 32 : 16;
		if (sum == 12345)
			*sink = sum;
		for (long long until = clock64() + pause; pause && clock64() < until;)
			;
	}
	if (lane == 0) {
		atomicAdd(accesses, count);
		atomicMax(cycles, clock64() - begin);
	}
}
int main()
{
	unsigned *chase, *sink;
	char *near, *far;
	unsigned short *steps;
	unsigned long long *totals, host[2];
	int sms;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&chase, CHASE);
	cudaMalloc(&near, NEAR);
	cudaMalloc(&far, 2 * (size_t)FAR);
	cudaMalloc(&steps, sms * KEPT * 2);
	cudaMalloc(&totals, 16);
	cudaMalloc(&sink, 4);
	cudaMemset(near, 0, NEAR);
	cudaMemset(far, 0, 2 * (size_t)FAR);
	unsigned count = CHASE / 128, state = 1;
	std::vector<unsigned> order(count), links(count * 32);
	for (unsigned i = 0; i < count; i++)
		order[i] = i;
	for (unsigned i = count; i > 1; i--) {
		state = state * 1664525u + 1013904223u;
		std::swap(order[i - 1], order[(state >> 8) % i]);
	}
	for (unsigned i = 0; i < count; i++)
		links[order[i] * 32] = order[(i + 1) % count];
	cudaMemcpy(chase, links.data(), CHASE, cudaMemcpyHostToDevice);
	cudaEvent_t before, after;
	cudaEventCreate(&before);
	cudaEventCreate(&after);
	printf("what,warps,pause,sectors_per_second,mean,median,tenth,hundredth\n");
	for (int what = 0; what <= 6; what++)
		for (int warps : {1, 2, 4, 8, 16, 31})
			for (int pause : {0, 200, 600, 1500, 4000}) {
				if (!what && (warps > 1 || pause))
					continue;
				float ms = 0;
				for (int run = 0; run < 2; run++) {
					cudaMemset(totals, 0, 16);
					cudaEventRecord(before);
					walk<<<sms, 32 * (1 + warps)>>>(chase, near, far, what, pause, steps, totals, totals + 1,
					                                sink);
					cudaEventRecord(after);
					cudaEventSynchronize(after);
					cudaEventElapsedTime(&ms, before, after);
				}
				std::vector<unsigned short> all(sms * KEPT);
				cudaMemcpy(all.data(), steps, all.size() * 2, cudaMemcpyDeviceToHost);
				cudaMemcpy(host, totals, 16, cudaMemcpyDeviceToHost);
				std::sort(all.begin(), all.end());
				double mean = 0;
				for (unsigned short one : all)
					mean += one;
				printf("%d,%d,%d,%.4g,%.1f,%d,%d,%d\n", what, warps, pause, host[0] / (ms / 1e3), mean / all.size(),
				       all[all.size() / 2], all[all.size() * 9 / 10], all[all.size() * 99 / 100]);
			}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
