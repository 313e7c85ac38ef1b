/*
 * Records that threads read whole, in a permuted order within regions of so many: every granule comes from DRAM once, but its line, or itself, is asked for in several requests. Prints CSV, microseconds of
 * the median of 7 launches, each after a kernel that overwrites the L2: benchmarks/measured/regions-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define FLUSH_BYTES ((size_t)256 << 20)
#define LAUNCHES 8

static __global__ void overwrite(float4 *words, size_t count, float value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		words[i] = make_float4(value, value, value, value);
}

/* Records of so many words, read by loads of T. The factor is odd: thread numbers times it, modulo the region's size, are a permutation. */
template <int WORDS, class T> static __global__ void read_permuted(const float *records, float *out, unsigned mask, unsigned factor)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x, place = (i & ~mask) + ((i * factor + 71) & mask);
	const T *record = (const T *)(records + (size_t)place * WORDS);
	float sum = 0;
#pragma unroll
	for (int k = 0; k < (int)(WORDS * sizeof(float) / sizeof(T)); k++) {
		T word = record[k];
		sum += *(float *)&word;
	}
	out[i] = sum;
}

static float *records, *out;
static float4 *flush;

template <int WORDS, class T> static void measure(size_t mebibytes, int threads, int mask, int factor)
{
	std::vector<float> times;
	cudaEvent_t start, end;
	unsigned count = (unsigned)((mebibytes << 20) / WORDS / sizeof(float)) & ~8191u;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < LAUNCHES; i++) {
		float milliseconds;
		overwrite<<<1056, 256>>>(flush, FLUSH_BYTES / sizeof *flush, i);
		cudaEventRecord(start);
		read_permuted<WORDS, T><<<count / threads, threads>>>(records, out, mask, factor);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		if (i)
			times.push_back(milliseconds);
	}
	std::sort(times.begin(), times.end());
	printf("%zu,%zu,%d,%zu,%d,%d,%.2f,%.2f,%.2f\n", WORDS * sizeof(float), sizeof(T), threads, mebibytes, mask + 1, factor,
	       times[times.size() / 2] * 1e3, times.front() * 1e3, times.back() * 1e3);
}

template <int WORDS, class T> static void all()
{
	for (size_t mebibytes : {32, 128, 384})
		for (int threads : {64, 256}) {
			measure<WORDS, T>(mebibytes, threads, 31, 1);
			for (int mask : {31, 255, 1023, 8191})
				measure<WORDS, T>(mebibytes, threads, mask, 389);
		}
}

int main()
{
	cudaMalloc(&records, (size_t)1 << 30);
	cudaMalloc(&out, (size_t)512 << 20);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMemset(records, 0, (size_t)1 << 30);
	printf("record,width,block,mib,region,factor,us,low,high\n");
	all<1, float>();
	all<4, float4>();
	all<5, float>();
	all<8, float4>();
	all<8, float>();
	all<12, float4>();
	all<16, float4>();
	all<18, float>();
	all<20, float4>();
	all<32, float4>();
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
