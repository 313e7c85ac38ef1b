/*
 * The struct sweep, reduction 4: records of 28 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[4];
	float b;
	float c;
	float d;
};

/* Block sums, a record per thread, 4 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_4_a(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a[0];
		x += 0.75f * p[i].a[1];
		x += 0.5f * p[i].b;
		x += 0.5f * p[i].c;
		x += 0.5f * p[i].d;
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

/* Block sums, a record per thread, 4 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_4_b(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a[0];
		x += 0.75f * p[i].a[1];
		x += 1.25f * p[i].a[2];
		x += 0.5f * p[i].a[3];
		x += 0.75f * p[i].b;
		x += 1.25f * p[i].c;
		x += 1.25f * p[i].d;
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
	cudaMalloc(&p, 22860488 * sizeof(record));
	cudaMemset(p, 0, 22860488 * sizeof(record));
	float *out;
	cudaMalloc(&out, 22860488 * sizeof(float));
	cudaMemset(out, 0, 22860488 * sizeof(float));
	reduction_4_a<<<758, 512>>>(p, out, 388096);
	reduction_4_a<<<4784, 512>>>(p, out, 2449408);
	reduction_4_a<<<30659, 512>>>(p, out, 15697097);
	reduction_4_b<<<624, 256>>>(p, out, 159744);
	reduction_4_b<<<6428, 256>>>(p, out, 1645568);
	reduction_4_b<<<89299, 256>>>(p, out, 22860488);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
