/*
 * When blocks of a launch start and end on an SM: those that it is given first and those that come in their place. And how long launches take whose blocks end at once or one after the other. Prints CSV:
 * benchmarks/measured/starts-h200.csv.
 *
 * `block`: of two SMs each block, in the order in which they start, with the cycles from the first one's first clock to its own and to its last. With a wait of 0 that is the second one, behind some 35
 * instructions, whose code is cold at first. `launch`: microseconds of a launch, the median of 15 times 20 launches in a row; each block waits the given cycles, those of the next round over the SMs
 * `stagger` more.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <iterator>
#include <vector>

#define CLOCK(now) asm volatile("mov.u32 %0,%%clock;" : "=r"(now)::"memory")
#define LOG_BYTES (1 << 20)
#define LAUNCHES 20

struct times {
	unsigned sm, start, end;
};

/* The first thread of each block writes its SM and both clocks, as struct times has them. */
static __global__ void wait_cycles(unsigned *log, unsigned wait, unsigned stagger, unsigned sms)
{
	unsigned start, sm, now;
	CLOCK(start);
	asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
	unsigned until = wait + blockIdx.x / sms * stagger;
	if (until)
		do {
			if (threadIdx.x % 32 == 0)
				__nanosleep(20);
			CLOCK(now);
		} while (now - start < until);
	if (threadIdx.x == 0 && log) {
		CLOCK(now);
		log[3 * blockIdx.x] = sm;
		log[3 * blockIdx.x + 1] = start;
		log[3 * blockIdx.x + 2] = now;
	}
}

static unsigned *device_log;
static times host_log[LOG_BYTES / sizeof(times)];
static int sms;

static void measure_blocks(int threads, int blocks, unsigned wait)
{
	for (int i = 0; i < 3; i++)
		wait_cycles<<<blocks, threads>>>(device_log, wait, 0, sms);
	cudaMemcpy(host_log, device_log, blocks * sizeof *host_log, cudaMemcpyDeviceToHost);
	for (unsigned sm : {0, 37}) {
		std::vector<times> starts;
		std::copy_if(host_log, host_log + blocks, std::back_inserter(starts),
		             [sm](const times &block) { return block.sm == sm; });
		std::sort(starts.begin(), starts.end(),
		          [](const times &one, const times &other) { return (int)(one.start - other.start) < 0; });
		for (size_t i = 0; i < starts.size(); i++)
			printf("block,%d,%d,%u,0,%u,%zu,%u,%u,\n", threads, blocks, wait, sm, i, starts[i].start - starts[0].start,
			       starts[i].end - starts[0].start);
	}
}

static void measure_launch(int threads, int blocks, unsigned wait, unsigned stagger)
{
	std::vector<float> microseconds;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < 15; i++) {
		float milliseconds;
		cudaEventRecord(start);
		for (int k = 0; k < LAUNCHES; k++)
			wait_cycles<<<blocks, threads>>>(nullptr, wait, stagger, sms);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		microseconds.push_back(milliseconds * 1000 / LAUNCHES);
	}
	std::sort(microseconds.begin(), microseconds.end());
	printf("launch,%d,%d,%u,%u,,,,,%.3f\n", threads, blocks, wait, stagger, microseconds[microseconds.size() / 2]);
}

int main()
{
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&device_log, LOG_BYTES);
	for (int i = 0; i < 200; i++)
		wait_cycles<<<1000, 256>>>(device_log, 1000, 0, sms);
	printf("part,threads,blocks,wait,stagger,sm,number,start,end,us\n");
	for (int threads : {32, 64, 128, 256, 512, 1024})
		for (int blocks = 1; blocks <= 32 && blocks * threads <= 2048; blocks *= 2) {
			measure_launch(threads, sms * blocks, 0, 0);
			for (unsigned stagger : {0, 300, 1000})
				measure_launch(threads, sms * blocks, 4000, stagger);
		}
	for (int threads : {32, 64, 128, 256, 512, 1024})
		for (unsigned wait : {0, 20000})
			measure_blocks(threads, 4 * sms * std::min(2048 / threads, 32), wait);
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
