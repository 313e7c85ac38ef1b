/*
 * The struct sweep, reduction 3: records of 28 bytes, 7 members. Written by generate.py.
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
};

/* Block sums, a record per thread, 7 of the members read, float. */
__global__ void __launch_bounds__(128) reduction_3_a(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a;
		x += 0.5f * p[i].b;
		x += 0.5f * p[i].c;
		x += 1.25f * p[i].d;
		x += 1.25f * p[i].e;
		x += 0.5f * p[i].f;
		x += 0.5f * p[i].g;
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

/* Block sums, a record per thread, 2 of the members read, float. */
__global__ void __launch_bounds__(128) reduction_3_b(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].b;
		x += 0.75f * p[i].g;
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
	cudaMalloc(&p, 23613142 * sizeof(record));
	cudaMemset(p, 0, 23613142 * sizeof(record));
	float *out;
	cudaMalloc(&out, 23613142 * sizeof(float));
	cudaMemset(out, 0, 23613142 * sizeof(float));
	reduction_3_a<<<928, 128>>>(p, out, 118784);
	reduction_3_a<<<9944, 128>>>(p, out, 1272832);
	reduction_3_a<<<184478, 128>>>(p, out, 23613142);
	reduction_3_b<<<3152, 128>>>(p, out, 403456);
	reduction_3_b<<<23888, 128>>>(p, out, 3057664);
	reduction_3_b<<<133632, 128>>>(p, out, 17104896);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
