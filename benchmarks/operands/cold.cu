/*
 * Launches of a few microseconds as measuring programs time them: the L2 full of what another kernel has overwritten or read, then event, launch, event. Prints CSV: benchmarks/measured/cold-h200.csv, to which Nsight Compute adds the bytes that
 * DRAM gave and took (with an argument each launch is made once).
 *
 * launch: each thread reads the first COUNT words of its record of WORDS words (part), words of COUNT arrays (arrays), stores COUNT words of its record (fill), or copies them (copy). inside: the clock tells when each warp's load of one word of its
 * record has come; cycles of an SM from its first clock to its last, the most of all SMs, and until a load has come, in the mean of all and at most.
 *
 * l2: `dirty` after a kernel that writes 120 MiB, `clean` after one that reads them, `far` as dirty, after 2 GiB have been written before.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define RECORDS (1 << 18)
#define SMS 132
#define SCRATCH (120 << 20)
#define FAR (2ull << 30)
#define CLOCK(now) asm volatile("mov.u32 %0,%%clock;" : "=r"(now)::"memory")

template <int WORDS> struct record {
	float word[WORDS];
};

template <int WORDS, int COUNT> static __global__ void part(const record<WORDS> *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		sum += p[i].word[k];
	out[i] = sum;
}

template <int COUNT> static __global__ void arrays(const float *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		sum += p[k * RECORDS + i];
	out[i] = sum;
}

template <int WORDS, int COUNT> static __global__ void fill(record<WORDS> *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		p[i].word[k] = 0.25f * k;
}

template <int WORDS, int COUNT> static __global__ void copy(const record<WORDS> *p, record<WORDS> *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
#pragma unroll
	for (int k = 0; k < COUNT; k++)
		q[i].word[k] = 0.25f + p[i].word[k];
}

struct clocks {
	unsigned sm, start, loaded, end;
};

template <int WORDS> static __global__ void inside(const record<WORDS> *p, float *out, clocks *log)
{
	unsigned start, loaded, end, sm;
	CLOCK(start);
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float x = p[i].word[0];
	asm volatile("{.reg .pred q; setp.eq.f32 q, %0, 0f7f800000; @q trap;}" ::"f"(x) : "memory");
	CLOCK(loaded);
	out[i] = x;
	CLOCK(end);
	asm volatile("mov.u32 %0,%%smid;" : "=r"(sm));
	if (threadIdx.x % 32 == 0)
		log[i / 32] = clocks{sm, start, loaded, end};
}

static __global__ void overwrite(uint4 *scratch, unsigned value)
{
	scratch[blockIdx.x * blockDim.x + threadIdx.x] = make_uint4(value, value, value, value);
}

static __global__ void look(const uint4 *scratch, unsigned value)
{
	uint4 x = scratch[blockIdx.x * blockDim.x + threadIdx.x];
	if (x.x == value)
		((uint4 *)scratch)[0] = x;
}

enum state { DIRTY, CLEAN, FAR_DIRTY, STATES };
static const char *const state_names[STATES] = {"dirty", "clean", "far"};

static int repeats;
static float *data, *out;
static clocks *device_log;
static uint4 *scratch, *far_scratch;
static cudaEvent_t begin, end;

static void l2_set(int state, int value)
{
	if (state == FAR_DIRTY)
		overwrite<<<FAR / 16 / 256, 256>>>(far_scratch, value);
	if (state == CLEAN)
		look<<<SCRATCH / 16 / 256, 256>>>(scratch, 0x12345678);
	else
		overwrite<<<SCRATCH / 16 / 256, 256>>>(scratch, value);
}

/* Microseconds of a launch, after it has been made thrice. */
template <class LAUNCH, class AFTER> static double launches_time(int state, LAUNCH launch, AFTER after)
{
	std::vector<float> times;
	for (int i = repeats > 1 ? -3 : 0; i < repeats; i++) {
		float ms;
		l2_set(state, i);
		cudaEventRecord(begin);
		launch();
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&ms, begin, end);
		if (i < 0)
			continue;
		times.push_back(ms * 1000);
		after();
	}
	std::sort(times.begin(), times.end());
	return times[times.size() / 2];
}

template <class LAUNCH> static void measure(const char *name, int words, int count, LAUNCH launch)
{
	for (int threads : {32, 128, 256, 512})
		for (int blocks : {1, 16, 66, 132, 264, 528, 1056})
			for (int state = 0; state < STATES && blocks * threads <= RECORDS; state++) {
				if (repeats == 1 && threads != 128)
					continue;
				double us = launches_time(
					state, [=] { launch(blocks, threads); }, [] {});
				printf("launch,%s,%d,%d,%d,%d,%s,%.3f,,,,,\n", name, words, count, blocks, threads,
				       state_names[state], us);
			}
}

static double median(std::vector<double> values)
{
	std::sort(values.begin(), values.end());
	return values[values.size() / 2];
}

template <int WORDS> static void measure_inside()
{
	for (int threads : {32, 128, 256})
		for (int blocks : {66, 132, 264, 528, 1056})
			for (int state : {DIRTY, CLEAN}) {
				std::vector<double> spans, means, mosts;
				auto launch = [=] {
					inside<WORDS><<<blocks, threads>>>((const record<WORDS> *)data, out, device_log);
				};
				double us = launches_time(state, launch, [&] {
					std::vector<clocks> log(blocks * threads / 32);
					cudaMemcpy(log.data(), device_log, log.size() * sizeof(clocks), cudaMemcpyDeviceToHost);
					unsigned first[SMS], last[SMS];
					bool any[SMS] = {};
					double span = 0, sum = 0, most = 0;
					for (const clocks &warp : log) {
						unsigned sm = warp.sm;
						first[sm] = !any[sm] || (int)(warp.start - first[sm]) < 0 ? warp.start : first[sm];
						last[sm] = !any[sm] || (int)(warp.end - last[sm]) > 0 ? warp.end : last[sm];
						any[sm] = true;
						sum += warp.loaded - warp.start;
						most = std::max(most, (double)(warp.loaded - warp.start));
					}
					for (int sm = 0; sm < SMS; sm++)
						span = any[sm] ? std::max(span, (double)(last[sm] - first[sm])) : span;
					spans.push_back(span);
					means.push_back(sum / log.size());
					mosts.push_back(most);
				});
				printf("inside,part,%d,1,%d,%d,%s,%.3f,,,%.0f,%.0f,%.0f\n", WORDS, blocks, threads,
				       state_names[state], us, median(spans), median(means), median(mosts));
			}
}

template <int WORDS, int COUNT> static void measure_part()
{
	measure("part", WORDS, COUNT, [](int blocks, int threads) {
		part<WORDS, COUNT><<<blocks, threads>>>((const record<WORDS> *)data, out, blocks * threads);
	});
}

template <int COUNT> static void measure_arrays()
{
	measure("arrays", 1, COUNT,
	        [](int blocks, int threads) { arrays<COUNT><<<blocks, threads>>>(data, out, blocks * threads); });
}

template <int WORDS, int COUNT> static void measure_stores()
{
	measure("fill", WORDS, COUNT,
	        [](int blocks, int threads) { fill<WORDS, COUNT><<<blocks, threads>>>((record<WORDS> *)data, blocks * threads); });
	measure("copy", WORDS, COUNT, [](int blocks, int threads) {
		copy<WORDS, COUNT>
			<<<blocks, threads>>>((const record<WORDS> *)data, (record<WORDS> *)data + RECORDS, blocks * threads);
	});
}

int main(int argc, char **)
{
	size_t bytes = sizeof(record<64>) * (size_t)RECORDS * 2;
	repeats = argc > 1 ? 1 : 21;
	cudaMalloc(&data, bytes);
	cudaMalloc(&out, sizeof(float) * RECORDS);
	cudaMalloc(&device_log, sizeof(clocks) * RECORDS);
	cudaMalloc(&scratch, SCRATCH);
	cudaMalloc(&far_scratch, FAR);
	cudaMemset(data, 0, bytes);
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int i = 0; i < 2000; i++)
		overwrite<<<SCRATCH / 16 / 256, 256>>>(scratch, i);
	printf("part,kernel,words,count,blocks,threads,l2,us,read_bytes,written_bytes,span,mean,most\n");
	measure_part<1, 1>();
	measure_part<2, 1>();
	measure_part<4, 1>();
	measure_part<8, 1>();
	measure_part<16, 1>();
	measure_part<26, 1>();
	measure_part<32, 1>();
	measure_part<64, 1>();
	measure_part<3, 3>();
	measure_part<6, 3>();
	measure_part<6, 6>();
	measure_part<10, 3>();
	measure_part<10, 10>();
	measure_part<16, 4>();
	measure_arrays<1>();
	measure_arrays<3>();
	measure_arrays<4>();
	measure_arrays<6>();
	measure_arrays<10>();
	measure_stores<1, 1>();
	measure_stores<2, 2>();
	measure_stores<4, 1>();
	measure_stores<4, 4>();
	measure_stores<8, 2>();
	measure_stores<8, 8>();
	measure_stores<16, 4>();
	measure_inside<1>();
	measure_inside<4>();
	measure_inside<8>();
	measure_inside<16>();
	measure_inside<32>();
	measure_inside<64>();
	return cudaDeviceSynchronize() != cudaSuccess;
}
