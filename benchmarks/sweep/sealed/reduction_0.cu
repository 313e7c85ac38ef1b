/*
 * The struct sweep, reduction 0: records of 40 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
};

/* Block sums, a record per thread, 2 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_0_a(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].c;
		x += 0.5f * p[i].j;
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

/* Block sums of a striding grid, 5 of the members read, float. */
__global__ void __launch_bounds__(128) reduction_0_b(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a;
		x += 0.5f * p[i].c;
		x += 0.5f * p[i].f;
		x += 1.25f * p[i].h;
		x += 1.25f * p[i].i;
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
	cudaMalloc(&p, 16102400 * sizeof(record));
	cudaMemset(p, 0, 16102400 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16102400 * sizeof(float));
	cudaMemset(out, 0, 16102400 * sizeof(float));
	reduction_0_a<<<336, 256>>>(p, out, 86016);
	reduction_0_a<<<6264, 256>>>(p, out, 1603584);
	reduction_0_a<<<53100, 256>>>(p, out, 13593600);
	reduction_0_b<<<1056, 128>>>(p, out, 211330);
	reduction_0_b<<<1056, 128>>>(p, out, 1634304);
	reduction_0_b<<<528, 128>>>(p, out, 16102400);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
