/*
 * The struct sweep, reduction 6: records of 16 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
};

/* A sum by shuffles and atomic additions, 1 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_6_a(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * (float)p[i].a;
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

/* Block sums of a striding grid, 1 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_6_b(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * (float)p[i].a;
		sum += (float)(x + k);
	}
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int s = 256; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

int main()
{
	record *p;
	cudaMalloc(&p, 33320960 * sizeof(record));
	cudaMemset(p, 0, 33320960 * sizeof(record));
	float *out;
	cudaMalloc(&out, 33320960 * sizeof(float));
	cudaMemset(out, 0, 33320960 * sizeof(float));
	reduction_6_a<<<264, 512>>>(p, out, 534528);
	reduction_6_a<<<528, 512>>>(p, out, 4638720);
	reduction_6_a<<<528, 512>>>(p, out, 33320960);
	reduction_6_b<<<264, 512>>>(p, out, 306478);
	reduction_6_b<<<264, 512>>>(p, out, 5536768);
	reduction_6_b<<<528, 512>>>(p, out, 31211463);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
