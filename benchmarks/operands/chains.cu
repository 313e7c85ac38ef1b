/*
 * How long loads wait that come one after the other, with stores between them: each step of a thread begins when the load of the one before has come. Arrays of their own, or the lines of a tile one after
 * the other. Prints CSV, seconds of the median of 5 launches, each after a kernel that overwrites the L2, by how many blocks of 256 threads fit on an SM:
 * benchmarks/measured/chains-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 256
#define WORDS ((size_t)100 << 20)
#define FLUSH_BYTES ((size_t)256 << 20)

enum mode { READ, UPDATE, COPY, TILES, TWO, MODES };
static const char *const names[MODES] = {"read", "update", "copy", "tiles", "two"};

/* TWO reads two arrays a step and writes one; stores may go to what is loaded next, so that it waits for them to be given. */
template <int MODE, int STEPS> static __global__ void __launch_bounds__(BLOCK) walk(float *from, float *to, unsigned n, int never)
{
	unsigned i = blockIdx.x * BLOCK + threadIdx.x;
	if (MODE == TILES)
		i = i / 32 * (32 * STEPS) + i % 32;
	float sum = 0;
#pragma unroll
	for (unsigned k = 0; k < STEPS / (MODE == TWO ? 2 : 1); k++) {
		unsigned place = MODE == TILES ? i + 32 * k : i + n * k;
		if (MODE == UPDATE)
			from[place] = from[place] * 1.5f + 1;
		else if (MODE == COPY || MODE == TILES)
			to[place] = from[place] * 1.5f;
		else if (MODE == TWO)
			to[place] = from[i + 2 * n * k] + from[i + n * (2 * k + 1)];
		else
			sum += from[place];
		if (MODE == READ && never)
			to[i] = sum;
	}
	if (MODE == READ && sum == 12345.f)
		to[i] = sum;
}

static float *from, *to;
static char *flush;

template <int MODE, int STEPS> static void measure(int blocks)
{
	unsigned n = (unsigned)(WORDS / STEPS) / BLOCK * BLOCK;
	int shared = blocks == 8 ? 0 : (227 * 1024 / blocks) / 1024 * 1024 - 1024;
	std::vector<float> times;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	cudaFuncSetAttribute(walk<MODE, STEPS>, cudaFuncAttributeMaxDynamicSharedMemorySize, 226 * 1024);
	for (int i = 0; i < 6; i++) {
		float milliseconds;
		cudaMemsetAsync(flush, i, FLUSH_BYTES);
		cudaEventRecord(start);
		walk<MODE, STEPS><<<n / BLOCK, BLOCK, shared>>>(from, to, n, 0);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		if (i)
			times.push_back(milliseconds);
	}
	std::sort(times.begin(), times.end());
	printf("%s,%d,%d,%.4g,%.4g,%.4g\n", names[MODE], STEPS, blocks, times[times.size() / 2] * 1e-3, times.front() * 1e-3,
	       times.back() * 1e-3);
}

template <int STEPS> static void measure_steps()
{
	for (int blocks : {8, 6, 4, 2, 1}) {
		measure<READ, STEPS>(blocks);
		measure<UPDATE, STEPS>(blocks);
		measure<COPY, STEPS>(blocks);
		measure<TILES, STEPS>(blocks);
		measure<TWO, STEPS>(blocks);
	}
}

int main()
{
	cudaMalloc(&from, WORDS * sizeof *from);
	cudaMalloc(&to, WORDS * sizeof *to);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMemset(from, 0, WORDS * sizeof *from);
	cudaMemset(to, 0, WORDS * sizeof *to);
	printf("mode,steps,blocks,seconds,low,high\n");
	measure_steps<2>();
	measure_steps<8>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
