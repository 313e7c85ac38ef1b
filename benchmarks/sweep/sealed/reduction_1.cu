/*
 * The struct sweep, reduction 1: records of 16 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	double b;
};

/* Block sums, a record per thread, 2 of the members read, double. */
__global__ void __launch_bounds__(128) reduction_1_a(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double x = 0.25;
		int k = 1;
		x += 0.5 * p[i].a;
		x += 0.75 * p[i].b;
		sum += (float)(x + k);
	}
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int s = 64; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

/* A sum by shuffles and atomic additions, 2 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_1_b(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a;
		x += 0.75f * (float)p[i].b;
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

int main()
{
	record *p;
	cudaMalloc(&p, 30792819 * sizeof(record));
	cudaMemset(p, 0, 30792819 * sizeof(record));
	float *out;
	cudaMalloc(&out, 30792819 * sizeof(float));
	cudaMemset(out, 0, 30792819 * sizeof(float));
	reduction_1_a<<<4504, 128>>>(p, out, 576512);
	reduction_1_a<<<26496, 128>>>(p, out, 3391488);
	reduction_1_a<<<236880, 128>>>(p, out, 30320640);
	reduction_1_b<<<528, 512>>>(p, out, 413696);
	reduction_1_b<<<264, 512>>>(p, out, 4626432);
	reduction_1_b<<<264, 512>>>(p, out, 30792819);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
