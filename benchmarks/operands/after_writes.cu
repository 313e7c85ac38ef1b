/*
 * Streams after a kernel that left the L2 full of written lines: how long they take, and under Nsight Compute what DRAM reads and writes meanwhile.
 * benchmarks/measured/after-writes-h200.csv has both: medians of 21 launches, megabytes of each array.
 */
#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define THREADS 256
#define AT (blockIdx.x * THREADS + threadIdx.x)

__global__ void read4(const int *a, int *c)
{
	int v = a[AT];
	if (v == 0x7fffffff)
		c[0] = v;
}
__global__ void read16(const int4 *a, int4 *c)
{
	int4 v = a[AT];
	if ((v.x ^ v.y ^ v.z ^ v.w) == 0x7fffffff)
		c[0] = v;
}
__global__ void copy4(const int *a, int *c)
{
	c[AT] = a[AT];
}
__global__ void copy16(const int4 *a, int4 *c)
{
	c[AT] = a[AT];
}
__global__ void write4(const int *, int *c)
{
	c[AT] = AT;
}
__global__ void write16(const int4 *, int4 *c)
{
	int v = AT;
	c[AT] = make_int4(v, v, v, v);
}
__global__ void place4(int *a, int *)
{
	a[AT] += 1;
}
__global__ void place16(int4 *a, int4 *)
{
	int4 v = a[AT];
	a[AT] = make_int4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
}
__global__ void two4(const int *a, const int *b, int *c)
{
	c[AT] = a[AT] + b[AT];
}
__global__ void three4(const int *a, const int *b, const int *d, int *c)
{
	c[AT] = a[AT] + b[AT] + d[AT];
}
__global__ void exchange4(int *a, int *c)
{
	int v = a[AT], w = c[AT];
	a[AT] = v + w;
	c[AT] = v - w;
}
__global__ void evict(uint4 *scratch, size_t count, unsigned v)
{
	for (size_t i = AT; i < count; i += (size_t)gridDim.x * THREADS)
		scratch[i] = make_uint4(v, v, v, v);
}

static char *arrays[4];
static uint4 *scratch;
static const size_t scratch_count = ((size_t)240 << 20) / sizeof(uint4);

template <class element, class kernel> static void measure(const char *name, int megabytes, kernel launch)
{
	cudaEvent_t begin, end;
	std::vector<float> times;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int i = 0; i < 23; i++) {
		float ms;
		evict<<<1056, THREADS>>>(scratch, scratch_count, i);
		cudaEventRecord(begin);
		launch((megabytes << 20) / (int)sizeof(element) / THREADS);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		cudaEventElapsedTime(&ms, begin, end);
		if (i > 1)
			times.push_back(ms);
	}
	std::sort(times.begin(), times.end());
	printf("%s,%d,%.3f\n", name, megabytes, times[times.size() / 2] * 1e3);
}

#define MEASURE(name, element, ...)                                                                                                \
	measure<element>(#name, megabytes, [](int blocks) { name<<<blocks, THREADS>>>(__VA_ARGS__); })
#define A(element, i) ((element *)arrays[i])

int main()
{
	for (char *&array : arrays) {
		cudaMalloc(&array, (size_t)128 << 20);
		cudaMemset(array, 1, (size_t)128 << 20);
	}
	cudaMalloc(&scratch, scratch_count * sizeof(uint4));
	for (int i = 0; i < 400; i++)
		evict<<<1056, THREADS>>>(scratch, scratch_count, i);
	cudaDeviceSynchronize();
	for (int megabytes = 16; megabytes <= 128; megabytes *= 2) {
		MEASURE(read4, int, A(int, 0), A(int, 1));
		MEASURE(read16, int4, A(int4, 0), A(int4, 1));
		MEASURE(copy4, int, A(int, 0), A(int, 1));
		MEASURE(copy16, int4, A(int4, 0), A(int4, 1));
		MEASURE(write4, int, A(int, 0), A(int, 1));
		MEASURE(write16, int4, A(int4, 0), A(int4, 1));
		MEASURE(place4, int, A(int, 0), A(int, 1));
		MEASURE(place16, int4, A(int4, 0), A(int4, 1));
		MEASURE(two4, int, A(int, 0), A(int, 1), A(int, 2));
		MEASURE(three4, int, A(int, 0), A(int, 1), A(int, 2), A(int, 3));
		MEASURE(exchange4, int, A(int, 0), A(int, 1));
	}
	return cudaGetLastError() != cudaSuccess;
}
