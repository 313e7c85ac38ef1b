/*
 * The struct sweep, reduction 8: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Block sums, a record per thread, 1 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_8_a(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].b;
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

/* Block sums of a striding grid, 1 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_8_b(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
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
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	float *out;
	cudaMalloc(&out, 67108864 * sizeof(float));
	cudaMemset(out, 0, 67108864 * sizeof(float));
	reduction_8_a<<<1580, 512>>>(p, out, 808960);
	reduction_8_a<<<11636, 512>>>(p, out, 5957194);
	reduction_8_a<<<126290, 512>>>(p, out, 64660480);
	reduction_8_b<<<1056, 512>>>(p, out, 678912);
	reduction_8_b<<<1056, 512>>>(p, out, 6096896);
	reduction_8_b<<<1056, 512>>>(p, out, 67108864);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
