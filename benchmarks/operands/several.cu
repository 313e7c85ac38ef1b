/*
 * Launches that store one word or several words of each record, with and without loads of as many others: into an L2 that is full of lines that another kernel has written, or read. What stores take of which the L2 has to complete sectors.
 * Prints CSV; `several counted` is for Nsight Compute, which counts the second launch of each. Both together: benchmarks/measured/several-h200.csv.
 *
 *     nvcc -O2 -std=c++17 -arch=sm_90 -o several several.cu
 *     ./several; ncu --cache-control none --clock-control none -k regex:store_ --metrics dram__bytes_read.sum,dram__bytes_write.sum,l1tex__m_l1tex2xbar_write_sectors.sum ./several counted
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define SPAN (128u << 20)   /* bytes of each array */
#define DRIVING (120 << 20) /* of what fills the L2 before */

/* Records of so many words, of which those of a mask are stored. */
#define STORES(WORDS, MASK)                                                                                                        \
	struct record_##WORDS##_##MASK {                                                                                           \
		unsigned w[WORDS];                                                                                                 \
	};                                                                                                                         \
	static __global__ void __launch_bounds__(256) store_##WORDS##_##MASK(record_##WORDS##_##MASK *target, unsigned count)      \
	{                                                                                                                          \
		unsigned i = blockIdx.x * 256 + threadIdx.x;                                                                       \
		if (i < count)                                                                                                     \
			_Pragma("unroll") for (int k = 0; k < WORDS; k++) if (0x##MASK >> k & 1) target[i].w[k] = i + k;           \
	}                                                                                                                          \
	static __global__ void __launch_bounds__(256) store_read_##WORDS##_##MASK(const record_##WORDS##_##MASK *source,           \
	                                                                          record_##WORDS##_##MASK *target, unsigned count) \
	{                                                                                                                          \
		unsigned i = blockIdx.x * 256 + threadIdx.x;                                                                       \
		if (i < count) {                                                                                                   \
			unsigned x = source[i].w[0];                                                                               \
			_Pragma("unroll") for (int k = 0; k < WORDS; k++) if (0x##MASK >> k & 1) target[i].w[k] = x + k;           \
		}                                                                                                                  \
	}

STORES(8, 1)
STORES(8, 3)
STORES(8, 11)
STORES(8, 7f)
STORES(10, 1)
STORES(10, 3)
STORES(10, 21)
STORES(10, 125)
STORES(12, 1)
STORES(12, 21)
STORES(12, 101)
STORES(16, 1)
STORES(16, 101)
STORES(16, 1111)
STORES(20, 2)
STORES(20, 12)
STORES(20, 1002)
STORES(20, 11112)
STORES(24, 1)
STORES(24, 11)
STORES(24, 111111)

static __global__ void evict(uint4 *scratch, size_t count, bool dirty, unsigned value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		if (dirty)
			scratch[i] = make_uint4(value, value, value, value);
		else if (scratch[i].x == 12345)
			scratch[0].y = 1;
}

static uint4 *scratch;
static char *source, *target;
static cudaEvent_t start, stop;
static int turns = 8;

template <typename LAUNCH> static void measure(int words, const char *mask, bool reads, LAUNCH launch)
{
	unsigned count = SPAN / 4 / words;
	for (bool dirty : {false, true}) {
		std::vector<float> times;
		for (int turn = 0; turn < turns; turn++) {
			float ms;
			for (int i = dirty; i < 2; i++)
				evict<<<528, 512>>>(scratch, DRIVING / 16, dirty, turn);
			cudaEventRecord(start);
			launch(count);
			cudaEventRecord(stop);
			cudaEventSynchronize(stop);
			cudaEventElapsedTime(&ms, start, stop);
			if (turn)
				times.push_back(ms * 1000);
		}
		std::sort(times.begin(), times.end());
		printf("%d,%s,%d,%s,%.2f\n", words * 4, mask, reads, dirty ? "dirty" : "clean", times[times.size() / 2]);
	}
}

#define MEASURE(WORDS, MASK)                                                                                                       \
	measure(WORDS, #MASK, false, [](unsigned count) {                                                                          \
		store_##WORDS##_##MASK<<<(count + 255) / 256, 256>>>((record_##WORDS##_##MASK *)target, count);                    \
	});                                                                                                                        \
	measure(WORDS, #MASK, true, [](unsigned count) {                                                                           \
		store_read_##WORDS##_##MASK<<<(count + 255) / 256, 256>>>((record_##WORDS##_##MASK *)source,                       \
		                                                          (record_##WORDS##_##MASK *)target, count);               \
	});

int main(int argc, char **)
{
	if (argc > 1)
		turns = 2;
	cudaMalloc(&scratch, DRIVING);
	cudaMalloc(&source, SPAN);
	cudaMalloc(&target, SPAN);
	cudaMemset(scratch, 0, DRIVING);
	cudaMemset(source, 0, SPAN);
	cudaMemset(target, 0, SPAN);
	cudaEventCreate(&start);
	cudaEventCreate(&stop);
	printf("record_bytes,words_stored,reads,l2,microseconds\n");
	MEASURE(8, 1)
	MEASURE(8, 3)
	MEASURE(8, 11)
	MEASURE(8, 7f)
	MEASURE(10, 1)
	MEASURE(10, 3)
	MEASURE(10, 21)
	MEASURE(10, 125)
	MEASURE(12, 1)
	MEASURE(12, 21)
	MEASURE(12, 101)
	MEASURE(16, 1)
	MEASURE(16, 101)
	MEASURE(16, 1111)
	MEASURE(20, 2)
	MEASURE(20, 12)
	MEASURE(20, 1002)
	MEASURE(20, 11112)
	MEASURE(24, 1)
	MEASURE(24, 11)
	MEASURE(24, 111111)
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
