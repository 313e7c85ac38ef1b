/*
 * The struct sweep, reduction 2: records of 20 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
};

/* Block sums of a striding grid, 2 of the members read, float. */
__global__ void __launch_bounds__(128) reduction_2_a(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].c;
		x += 1.25f * p[i].e;
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

/* Block sums, a record per thread, 5 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_2_b(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		x += 1.25f * p[i].b;
		x += 0.75f * p[i].c;
		x += 0.75f * p[i].d;
		x += 0.75f * p[i].e;
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
	cudaMalloc(&p, 33048576 * sizeof(record));
	cudaMemset(p, 0, 33048576 * sizeof(record));
	float *out;
	cudaMalloc(&out, 33048576 * sizeof(float));
	cudaMemset(out, 0, 33048576 * sizeof(float));
	reduction_2_a<<<264, 128>>>(p, out, 245760);
	reduction_2_a<<<528, 128>>>(p, out, 2916831);
	reduction_2_a<<<264, 128>>>(p, out, 30376960);
	reduction_2_b<<<1896, 256>>>(p, out, 485376);
	reduction_2_b<<<15808, 256>>>(p, out, 4046790);
	reduction_2_b<<<129096, 256>>>(p, out, 33048576);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
