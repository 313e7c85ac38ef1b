/*
 * Launches of 3 to 100 us that store a word of each record of so many bytes, or all of them: into an L2 that is full of lines that another kernel has written, or read. What DRAM has to do for sectors that are begun, and for lines that they
 * drive out. Prints CSV; `begun counted` is for Nsight Compute, which counts the second launch of each. Both together: benchmarks/measured/begun-h200.csv.
 *
 *     fill: a word of each record is stored; copy: it is loaded from the same place of another array before; load: it is loaded alone; whole: each thread stores 16 bytes, one after the other
 *
 *     nvcc -O2 -std=c++17 -arch=sm_90 -o begun begun.cu
 *     ./begun; ncu --cache-control none --clock-control none -k 'regex:fill|copy|load|whole' --metrics dram__bytes_read.sum,dram__bytes_write.sum ./begun counted
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

/* Records of so many words, of which the first one is stored, or loaded. */
#define RECORDS(WORDS)                                                                                                             \
	struct record##WORDS {                                                                                                     \
		unsigned key, rest[WORDS - 1];                                                                                     \
	};                                                                                                                         \
	static __global__ void __launch_bounds__(256) fill##WORDS(record##WORDS *target, unsigned count)                           \
	{                                                                                                                          \
		unsigned i = blockIdx.x * 256 + threadIdx.x;                                                                       \
		if (i < count)                                                                                                     \
			target[i].key = i;                                                                                         \
	}                                                                                                                          \
	static __global__ void __launch_bounds__(256)                                                                              \
		copy##WORDS(const record##WORDS *source, record##WORDS *target, unsigned count)                                    \
	{                                                                                                                          \
		unsigned i = blockIdx.x * 256 + threadIdx.x;                                                                       \
		if (i < count)                                                                                                     \
			target[i].key = source[i].key + 1;                                                                         \
	}                                                                                                                          \
	static __global__ void __launch_bounds__(256) load##WORDS(const record##WORDS *source, unsigned *target, unsigned count)   \
	{                                                                                                                          \
		unsigned i = blockIdx.x * 256 + threadIdx.x;                                                                       \
		if (i < count && source[i].key == 12345)                                                                           \
			target[i] = 1;                                                                                             \
	}

RECORDS(2)
RECORDS(8)
RECORDS(16)
RECORDS(32)

static __global__ void __launch_bounds__(256) whole(uint4 *target, unsigned count)
{
	unsigned i = blockIdx.x * 256 + threadIdx.x;
	if (i < count)
		target[i] = make_uint4(i, i, i, i);
}

static __global__ void evict(uint4 *scratch, size_t count, bool dirty, unsigned value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		if (dirty)
			scratch[i] = make_uint4(value, value, value, value);
		else if (scratch[i].x == 12345)
			scratch[0].y = 1;
}

static uint4 *scratch;
static unsigned *source, *target;
static cudaEvent_t start, stop;
static int turns = 12;

template <typename LAUNCH> static void measure(const char *kind, int words, size_t bytes, LAUNCH launch)
{
	for (bool dirty : {false, true}) {
		std::vector<float> times;
		for (int turn = 0; turn < turns; turn++) {
			float ms;
			for (int i = dirty; i < 2; i++)
				evict<<<528, 512>>>(scratch, (size_t)(120 << 20) / 16, dirty, turn);
			cudaEventRecord(start);
			launch((unsigned)(bytes / 4 / words));
			cudaEventRecord(stop);
			cudaEventSynchronize(stop);
			cudaEventElapsedTime(&ms, start, stop);
			if (turn)
				times.push_back(ms * 1000);
		}
		std::sort(times.begin(), times.end());
		printf("%s,%d,%zu,%s,%.2f\n", kind, words * 4, bytes, dirty ? "dirty" : "clean", times[times.size() / 2]);
	}
}

#define MEASURE(WORDS)                                                                                                             \
	measure("fill", WORDS, bytes,                                                                                              \
	        [](unsigned count) { fill##WORDS<<<(count + 255) / 256, 256>>>((record##WORDS *)target, count); });                \
	measure("copy", WORDS, bytes, [](unsigned count) {                                                                         \
		copy##WORDS<<<(count + 255) / 256, 256>>>((record##WORDS *)source, (record##WORDS *)target, count);                \
	});                                                                                                                        \
	if (WORDS >= 8)                                                                                                            \
		measure("load", WORDS, bytes, [](unsigned count) {                                                                 \
			load##WORDS<<<(count + 255) / 256, 256>>>((record##WORDS *)source, target, count);                         \
		});

int main(int argc, char **)
{
	cudaMalloc(&scratch, 120 << 20);
	cudaMalloc(&source, 256 << 20);
	cudaMalloc(&target, 256 << 20);
	cudaMemset(scratch, 0, 120 << 20);
	cudaMemset(source, 0, 256 << 20);
	cudaMemset(target, 0, 256 << 20);
	cudaEventCreate(&start);
	cudaEventCreate(&stop);
	if (argc > 1)
		turns = 2;
	printf("kind,record_bytes,span_bytes,l2,microseconds\n");
	for (size_t mega : {2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128}) {
		size_t bytes = mega << 20;
		measure("whole", 4, bytes, [](unsigned count) { whole<<<(count + 255) / 256, 256>>>((uint4 *)target, count); });
		MEASURE(2)
		MEASURE(8)
		MEASURE(16)
		MEASURE(32)
	}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
