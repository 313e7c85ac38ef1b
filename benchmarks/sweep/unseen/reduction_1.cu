/*
 * The struct sweep, reduction 1: records of 80 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	int c;
	float d;
	int e;
	double f;
	unsigned char g;
	int h[4];
	float i[3];
	float j[3];
};

/* Block sums, a record per thread, 2 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_1_a(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].b;
		x += 0.75f * p[i].j[0];
		x += 1.25f * p[i].j[1];
		x += 0.75f * p[i].j[2];
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

/* Block sums, a record per thread, 2 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_1_b(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].b;
		k += p[i].e * 1;
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
	cudaMalloc(&p, 5793228 * sizeof(record));
	cudaMemset(p, 0, 5793228 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5793228 * sizeof(float));
	cudaMemset(out, 0, 5793228 * sizeof(float));
	reduction_1_a<<<399, 256>>>(p, out, 101972);
	reduction_1_a<<<4216, 256>>>(p, out, 1079296);
	reduction_1_a<<<22630, 256>>>(p, out, 5793228);
	reduction_1_b<<<508, 256>>>(p, out, 130048);
	reduction_1_b<<<3957, 256>>>(p, out, 1012950);
	reduction_1_b<<<19296, 256>>>(p, out, 4939776);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
