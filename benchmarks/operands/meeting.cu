/*
 * Requests of several SMs for one line: how many of them reach the L2. meeting.py runs it under Nsight Compute and prints benchmarks/measured/meeting-h200.csv.
 *
 *     nvcc -O2 -std=c++17 -arch=sm_90 -o meeting meeting.cu && ./meeting.py >meeting-h200.csv
 *
 * Reads launches from the standard input, one in a line:
 *
 *     timed STEPS PERIOD BYTES SECTORS SM:DELAY[:SECTOR] ...
 *         each SM named has one warp; step i begins PERIOD cycles after the last one, at the same moment everywhere; then, DELAY cycles later, the SM reads SECTORS sectors of line i
 *         (BYTES from one to the next), from SECTOR on
 *     burst STEPS PERIOD LINES WARPS SECTORS PARTS SM:DELAY ...
 *         the same by so many warps, of which each reads LINES lines at once, or, where PARTS is 1, LINES parts of one line
 *     free LINES WARPS LOADS SHIFT TURNS
 *         all SMs read all lines past the L1, in the same order from line SHIFT * SM on, with so many warps, and loads of each on their way, TURNS times, as fast as they can
 *     walk LINES PARTS DELAY OWN TURNS ARRAYS WARPS
 *         all SMs read the lines of so many arrays one after the other, each in so many parts of a sector, wait for them and DELAY cycles more; and every OWN-th time for a line of their own
 *     pace LINES PARTS WORK WARPS TURNS BLOCKS STORES
 *         the same by all warps of BLOCKS blocks of an SM, which do WORK additions with each word, and, where STORES is 1, store to a word of their own
 *     stores LINES SM ...
 *         each SM named stores so many lines of its own
 *     empty
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sstream>
#include <iostream>

#define MOST 160
#define CHECK(call) do { cudaError_t e = (call); if (e != cudaSuccess) { fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e)); exit(1); } } while (0)

struct Plan {
	short delay[MOST]; /* -1: takes no part */
	unsigned char sector[MOST];
};

static __device__ unsigned smid()
{
	unsigned id;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
	return id;
}

static __device__ unsigned long long now()
{
	unsigned long long t;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	return t;
}

/* Waits until all blocks have come, and then for a time that they agree on. Whether this SM takes part. */
static __device__ bool meet(const Plan &plan, unsigned id, unsigned long long *meeting)
{
	__shared__ unsigned long long begin;
	if (threadIdx.x == 0) {
		unsigned long long target;
		if (atomicAdd(&meeting[0], 1ull) == gridDim.x - 1) {
			target = ((now() >> 13) + 2) << 13;
			atomicExch(&meeting[1], target);
		}
		while (!(target = atomicAdd(&meeting[1], 0ull)))
			;
		begin = target;
	}
	__syncthreads();
	if (plan.delay[id] < 0)
		return false;
	while (now() < begin)
		;
	return true;
}

__global__ void timed(const float *data, int steps, int period, int words, int sectors, Plan plan, unsigned long long *meeting, float *sums)
{
	unsigned id = smid();
	if (!meet(plan, id, meeting))
		return;
	long long start = clock64();
	const float *mine = data + plan.sector[id] * 8 + threadIdx.x;
	float sum = 0;
	for (int i = 0; i < steps; i++) {
		long long at = start + (long long)(i + 1) * period + plan.delay[id];
		while (clock64() < at)
			;
		if (threadIdx.x < sectors * 8)
			sum += mine[(size_t)i * words];
	}
	if (sum == 12345)
		sums[id] = sum;
}

/* Loads of a step: LINES lines, or parts of a line where together != 0. */
template <int LOADS> __global__ void burst(const float *data, int steps, int period, int sectors, int together, Plan plan, unsigned long long *meeting, float *sums)
{
	unsigned id = smid(), lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
	if (!meet(plan, id, meeting))
		return;
	long long start = clock64();
	float sum = 0;
	size_t stride = together ? sectors * 8 : 1024, step = together ? 1024 : (size_t)1024 * LOADS * warps;
	for (int i = 0; i < steps; i++) {
		long long at = start + (long long)(i + 1) * period + plan.delay[id];
		while (clock64() < at)
			;
		if (lane < sectors * 8) {
			float value[LOADS];
			const float *mine = data + (size_t)i * step + (size_t)warp * LOADS * 1024 + lane;
#pragma unroll
			for (int k = 0; k < LOADS; k++)
				value[k] = mine[k * stride];
#pragma unroll
			for (int k = 0; k < LOADS; k++)
				sum += value[k];
		}
	}
	if (sum == 12345)
		sums[id] = sum;
}

template <int ARRAYS> __global__ void walk(const float *data, int lines, int parts, int delay, int own, int turns, float *sums)
{
	unsigned id = smid();
	float sum = 0;
	const float *mine = data + (size_t)(1 + id) * (1 << 17) + (32 << 20) / 4;
	int step = 0;
	for (int turn = 0; turn < turns; turn++)
		for (int i = 0; i < lines; i++)
			for (int p = 0; p < parts; p++, step++) {
				float value[ARRAYS], private_value = 0;
#pragma unroll
				for (int a = 0; a < ARRAYS; a++)
					value[a] = data[((size_t)a * lines + i) * 32 + p * 8 + threadIdx.x % 8];
				if (own && step % own == 0)
					private_value = __ldcg(&mine[(size_t)(step / own & 4095) * 32 + threadIdx.x % 32]);
#pragma unroll
				for (int a = 0; a < ARRAYS; a++)
					sum += value[a];
				sum += private_value;
				long long until = clock64() + delay + (sum == 12345);
				while (clock64() < until)
					;
			}
	if (sum == 12345)
		sums[id] = sum;
}

__global__ void pace(const float *data, int lines, int parts, int work, int turns, int store, float *own, float *sums)
{
	own += (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	float a = threadIdx.x, b = 0, c = 1, d = 2;
	for (int turn = 0; turn < turns; turn++)
		for (int i = 0; i < lines; i++)
			for (int p = 0; p < parts; p++) {
				float value = data[(size_t)i * 32 + p * 8];
				for (int w = 0; w < work; w += 4) {
					a += value;
					b += value;
					c += value;
					d += value;
				}
				if (store)
					*(volatile float *)own = a;
			}
	if (a + b + c + d == 12345)
		sums[threadIdx.x] = a;
}

template <int LOADS> __global__ void free_run(const float *data, int lines, int shift, int turns, float *sums)
{
	unsigned id = smid(), warps = blockDim.x / 32, warp = threadIdx.x / 32;
	float sum = 0;
	for (int turn = 0; turn < turns; turn++)
		for (int i = warp * LOADS; i < lines; i += warps * LOADS) {
			float value[LOADS];
#pragma unroll
			for (int k = 0; k < LOADS; k++)
				value[k] = __ldcg(&data[(size_t)((i + k + shift * (int)id) % lines) * 32 + threadIdx.x % 32]);
#pragma unroll
			for (int k = 0; k < LOADS; k++)
				sum += value[k];
		}
	if (sum == 12345)
		sums[id] = sum;
}

__global__ void stores(float *data, int lines, Plan plan)
{
	unsigned id = smid();
	if (plan.delay[id] < 0)
		return;
	for (int i = 0; i < lines; i++)
		data[((size_t)id * lines + i) * 32 + threadIdx.x] = 1;
}

__global__ void empty()
{
}

int main()
{
	const size_t bytes = 256 << 20;
	const int room = 160 * 1024;
	float *data, *sums;
	unsigned long long *meeting;
	cudaDeviceProp properties;
	CHECK(cudaGetDeviceProperties(&properties, 0));
	int sms = properties.multiProcessorCount;
	CHECK(cudaMalloc(&data, bytes));
	CHECK(cudaMalloc(&sums, 4096));
	CHECK(cudaMalloc(&meeting, 64));
	CHECK(cudaMemset(data, 0, bytes));
	CHECK(cudaFuncSetAttribute(timed, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
	CHECK(cudaFuncSetAttribute(free_run<1>, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
	CHECK(cudaFuncSetAttribute(free_run<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
	CHECK(cudaFuncSetAttribute(stores, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
	for (std::string line; std::getline(std::cin, line);) {
		std::istringstream in(line);
		std::string kind, word;
		Plan plan;
		memset(&plan, 0, sizeof plan);
		for (int i = 0; i < MOST; i++)
			plan.delay[i] = -1;
		in >> kind;
		CHECK(cudaMemset(meeting, 0, 64));
		if (kind == "timed") {
			int steps, period, apart, sectors;
			in >> steps >> period >> apart >> sectors;
			while (in >> word) {
				int sm = 0, delay = 0, sector = 0;
				sscanf(word.c_str(), "%d:%d:%d", &sm, &delay, &sector);
				plan.delay[sm] = (short)delay;
				plan.sector[sm] = (unsigned char)sector;
			}
			if ((size_t)steps * apart > bytes)
				return 2;
			timed<<<sms, 32, room>>>(data, steps, period, apart / 4, sectors, plan, meeting, sums);
		} else if (kind == "burst") {
			int steps, period, lines, warps, sectors, together;
			in >> steps >> period >> lines >> warps >> sectors >> together;
			while (in >> word) {
				int sm = 0, delay = 0;
				sscanf(word.c_str(), "%d:%d", &sm, &delay);
				plan.delay[sm] = (short)delay;
			}
			auto kernel = lines == 1 ? burst<1> : lines == 2 ? burst<2> : lines == 4 ? burst<4> : lines == 8 ? burst<8> : lines == 16 ? burst<16> : burst<32>;
			CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
			if ((size_t)steps * 4096 * (together ? 1 : lines * warps) > bytes)
				return 3;
			kernel<<<sms, 32 * warps, room>>>(data, steps, period, sectors, together, plan, meeting, sums);
		} else if (kind == "walk") {
			int lines, parts, delay, own, turns, arrays = 1, warps = 1;
			in >> lines >> parts >> delay >> own >> turns >> arrays >> warps;
			auto kernel = arrays == 1 ? walk<1> : arrays == 2 ? walk<2> : arrays == 4 ? walk<4> : walk<8>;
			CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
			kernel<<<sms, 32 * warps, room>>>(data, lines, parts, delay, own, turns, sums);
		} else if (kind == "pace") {
			int lines, parts, work, warps, turns, blocks = 1, store = 0;
			in >> lines >> parts >> work >> warps >> turns >> blocks >> store;
			CHECK(cudaFuncSetAttribute(pace, cudaFuncAttributeMaxDynamicSharedMemorySize, room));
			pace<<<sms * blocks, 32 * warps, blocks == 1 ? room : 0>>>(data, lines, parts, work, turns, store, data + (64 << 20) / 4, sums);
		} else if (kind == "free") {
			int lines, warps, loads, shift, turns;
			in >> lines >> warps >> loads >> shift >> turns;
			if (loads == 4)
				free_run<4><<<sms, 32 * warps, room>>>(data, lines, shift, turns, sums);
			else
				free_run<1><<<sms, 32 * warps, room>>>(data, lines, shift, turns, sums);
		} else if (kind == "stores") {
			int lines, sm;
			in >> lines;
			while (in >> sm)
				plan.delay[sm] = 0;
			stores<<<sms, 32, room>>>(data, lines, plan);
		} else {
			empty<<<1, 32>>>();
		}
		CHECK(cudaGetLastError());
		CHECK(cudaDeviceSynchronize());
	}
	return 0;
}
