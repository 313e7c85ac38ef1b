/*
 * The struct sweep, reduction 1: records of 16 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	double b;
};

/* Block sums of a striding grid, 2 of the members read, double. */
__global__ void __launch_bounds__(512) reduction_1_a(const record *p, float *out, int n)
{
	__shared__ float part[512];
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
	for (int s = 256; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

/* Block sums, a record per thread, 1 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_1_b(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * (float)p[i].a;
		sum += (float)(x + k);
	}
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int s = 128; s > 0; s >>= 1) {
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
	cudaMalloc(&p, 41530368 * sizeof(record));
	cudaMemset(p, 0, 41530368 * sizeof(record));
	float *out;
	cudaMalloc(&out, 41530368 * sizeof(float));
	cudaMemset(out, 0, 41530368 * sizeof(float));
	reduction_1_a<<<786, 512>>>(p, out, 402210);
	reduction_1_a<<<528, 512>>>(p, out, 3824640);
	reduction_1_a<<<1056, 512>>>(p, out, 31091712);
	reduction_1_b<<<2352, 256>>>(p, out, 601860);
	reduction_1_b<<<21332, 256>>>(p, out, 5460992);
	reduction_1_b<<<162228, 256>>>(p, out, 41530368);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
