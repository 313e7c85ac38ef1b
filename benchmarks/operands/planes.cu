/*
 * Planes of so many arrays, read and written by blocks of several shapes: whole planes, and all but their borders, where the L2 is full of what a kernel has written before, or of what one has read. Prints CSV, microseconds between
 * two events, the median of 11 launches: benchmarks/measured/planes-h200.csv. `planes counted` launches each once, for Nsight Compute.
 */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>

#define SMS 132
#define PLANES 16
#define PLANE_WORDS ((size_t)4 << 20)
#define FLUSH_BYTES ((size_t)256 << 20)

template <int READ, int WRITTEN> __global__ void __launch_bounds__(256) plane(const float *from, float *to, int n, int border)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y, i = r * n + c;
	if (c < border || r < border || c >= n - border || r >= n - border)
		return;
	float x = 0.25f;
	for (int k = 0; k < READ; k++)
		x += from[k * PLANE_WORDS + i];
	for (int k = 0; k < WRITTEN; k++)
		to[k * PLANE_WORDS + i] = x * k;
	if (!WRITTEN && x == 12345.f)
		to[i] = x;
}

static __global__ void read_all(const float4 *from, size_t count, float *sink)
{
	float all = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += gridDim.x * (size_t)blockDim.x)
		all += from[i].x;
	if (all == 12345.f)
		*sink = all;
}

static float *from, *to, *sink;
static void *flush;

template <int READ, int WRITTEN> static void measure(dim3 block, int n, int border, bool written, bool counted)
{
	std::vector<float> times;
	cudaEvent_t begin, end;
	cudaEventCreate(&begin);
	cudaEventCreate(&end);
	for (int round = 0; round < (counted ? 1 : 13); round++) {
		cudaMemsetAsync(flush, round, FLUSH_BYTES);
		if (!written)
			read_all<<<8 * SMS, 256>>>((const float4 *)flush, FLUSH_BYTES / sizeof(float4), sink);
		cudaEventRecord(begin);
		plane<READ, WRITTEN>
			<<<dim3((n + block.x - 1) / block.x, (n + block.y - 1) / block.y), block>>>(from, to, n, border);
		cudaEventRecord(end);
		cudaEventSynchronize(end);
		float ms;
		cudaEventElapsedTime(&ms, begin, end);
		if (round > 1)
			times.push_back(ms * 1000);
	}
	std::sort(times.begin(), times.end());
	printf("%d,%d,%d,%d,%d,%d,%s,%.2f\n", READ, WRITTEN, block.x, block.y, n, border, written ? "written" : "read",
	       counted ? 0 : times[times.size() / 2]);
}

int main(int argc, char **argv)
{
	bool counted = argc > 1 && !strcmp(argv[1], "counted");
	cudaMalloc(&from, PLANES * PLANE_WORDS * sizeof(float));
	cudaMalloc(&to, PLANES * PLANE_WORDS * sizeof(float));
	cudaMalloc(&flush, FLUSH_BYTES);
	cudaMalloc(&sink, sizeof(float));
	cudaMemset(from, 0, PLANES * PLANE_WORDS * sizeof(float));
	for (int i = 0; i < 300; i++)
		read_all<<<8 * SMS, 256>>>((const float4 *)from, PLANES * PLANE_WORDS / 4, sink);
	printf("read,written,block_x,block_y,n,border,before,us\n");
	for (int before = 0; before < 2; before++)
		for (dim3 block : {dim3(256, 1), dim3(64, 4), dim3(32, 8), dim3(32, 4), dim3(16, 16)})
			for (int n : {640, 1152, 1536, 1760, 2048})
				for (int border = 0; border < 2; border++) {
					if (counted && (!before || (n != 640 && n != 1760)))
						continue;
					measure<1, 1>(block, n, border, before, counted);
					measure<4, 1>(block, n, border, before, counted);
					measure<4, 0>(block, n, border, before, counted);
					measure<0, 4>(block, n, border, before, counted);
					measure<4, 4>(block, n, border, before, counted);
					measure<5, 8>(block, n, border, before, counted);
				}
	cudaError_t error = cudaDeviceSynchronize();
	if (error != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
