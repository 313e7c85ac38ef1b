/*
 * The struct sweep, reduction 3: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b;
};

/* Block sums, a record per thread, 1 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_3_a(const record *p, float *out, int n)
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

/* Block sums of a striding grid, 2 of the members read, float, 48 times exp. */
__global__ void __launch_bounds__(128) reduction_3_b(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a;
		k += p[i].b * 1;
		for (int r = 0; r < 48; r++)
			x = expf(-0.5f * x);
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

int main()
{
	record *p;
	cudaMalloc(&p, 58379264 * sizeof(record));
	cudaMemset(p, 0, 58379264 * sizeof(record));
	float *out;
	cudaMalloc(&out, 58379264 * sizeof(float));
	cudaMemset(out, 0, 58379264 * sizeof(float));
	reduction_3_a<<<1278, 512>>>(p, out, 654014);
	reduction_3_a<<<19771, 512>>>(p, out, 10122512);
	reduction_3_a<<<114022, 512>>>(p, out, 58379264);
	reduction_3_b<<<1056, 128>>>(p, out, 710656);
	reduction_3_b<<<264, 128>>>(p, out, 4425728);
	reduction_3_b<<<264, 128>>>(p, out, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
