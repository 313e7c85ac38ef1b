/*
 * Single words by a list without order, of sets that nothing has asked for before: of runs of so many bytes that lie so far apart, as a member of records in tiles does. Prints CSV, microseconds of the
 * median of 11 launches, each after a kernel that overwrites the L2, or that reads as much: benchmarks/measured/tiles-h200.csv.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define BLOCK 256
#define FLUSH_BYTES ((size_t)256 << 20)
#define SET_BYTES ((size_t)1 << 30)
#define LOADS (1u << 20)
#define LAUNCHES 12

static __global__ void overwrite(float4 *words, size_t count, float value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		words[i] = make_float4(value, value, value, value);
}

static __global__ void read_all(const float4 *words, size_t count, float *sink)
{
	float sum = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		sum += words[i].x;
	if (sum == 12345.f)
		*sink = sum;
}

/* Runs of 1 << shift words that lie `apart` words apart. */
static __global__ void __launch_bounds__(BLOCK)
	gather(const float *set, const int *list, unsigned shift, unsigned apart, float *out)
{
	unsigned i = blockIdx.x * BLOCK + threadIdx.x, place = list[i];
	out[i] = set[(size_t)(place >> shift) * apart + (place & ((1u << shift) - 1))];
}

static float *set, *out;
static int *list;
static float4 *flush;

static void measure(unsigned mebibytes, unsigned shift, unsigned apart, unsigned loads, bool written)
{
	std::vector<float> times;
	cudaEvent_t start, end;
	cudaEventCreate(&start);
	cudaEventCreate(&end);
	for (int i = 0; i < LAUNCHES; i++) {
		float milliseconds;
		if (written)
			overwrite<<<1056, 256>>>(flush, FLUSH_BYTES / sizeof *flush, i);
		else
			read_all<<<1056, 256>>>(flush, FLUSH_BYTES / sizeof *flush, out);
		cudaEventRecord(start);
		gather<<<loads / BLOCK, BLOCK>>>(set, list, shift, apart, out);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&milliseconds, start, end);
		if (i)
			times.push_back(milliseconds);
	}
	std::sort(times.begin(), times.end());
	printf("%u,%s,%u,%u,%u,%.2f,%.2f,%.2f\n", mebibytes, written ? "written" : "read", 4u << shift, apart * 4, loads,
	       times[times.size() / 2] * 1e3, times.front() * 1e3, times.back() * 1e3);
}

static void list_fill(unsigned places)
{
	std::vector<int> places_of(LOADS);
	unsigned state = 1;
	for (int &place : places_of) {
		state = state * 1664525u + 1013904223u;
		place = (int)((unsigned long long)state * places >> 32);
	}
	cudaMemcpy(list, places_of.data(), LOADS * sizeof *list, cudaMemcpyHostToDevice);
}

int main()
{
	cudaMalloc(&set, SET_BYTES);
	cudaMalloc(&out, LOADS * sizeof *out);
	cudaMalloc(&list, LOADS * sizeof *list);
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMemset(set, 0, SET_BYTES);
	printf("set_mib,after,run_bytes,apart_bytes,loads,us,low,high\n");
	for (unsigned mebibytes : {4, 16, 48}) {
		list_fill((mebibytes << 20) / sizeof(float));
		for (bool written : {true, false})
			for (unsigned loads : {1u << 15, 1u << 17, 217088u, 1u << 19, LOADS}) {
				measure(mebibytes, 10, 1024, loads, written);
				for (unsigned apart : {64u, 256u, 384u, 512u, 1024u})
					if ((size_t)mebibytes * apart / 32 << 20 <= SET_BYTES)
						measure(mebibytes, 5, apart, loads, written);
			}
	}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
