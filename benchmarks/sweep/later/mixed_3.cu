/*
 * The struct sweep, mixed 3: records of 20 bytes, 5 members. Written by generate.py.
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

/* Block sums, a record per thread, 2 of the members read, float. */
__global__ void __launch_bounds__(512) mixed_3_a(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		x += 0.5f * p[i].c;
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

/* Each thread a row of a matrix of records, 2 of the members read, float, 24 times exp. */
__global__ void __launch_bounds__(384) mixed_3_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 256; r++) {
		int j = i * 256 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[j].a;
		x += 1.25f * p[j].b;
		for (int r = 0; r < 24; r++)
			x = expf(-0.5f * x);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 30815232 * sizeof(record));
	cudaMemset(p, 0, 30815232 * sizeof(record));
	float *out;
	cudaMalloc(&out, 30815232 * sizeof(float));
	cudaMemset(out, 0, 30815232 * sizeof(float));
	mixed_3_a<<<468, 512>>>(p, out, 239616);
	mixed_3_a<<<3234, 512>>>(p, out, 1655808);
	mixed_3_a<<<60186, 512>>>(p, out, 30815232);
	mixed_3_b<<<5, 384>>>(p, out, 1728);
	mixed_3_b<<<40, 384>>>(p, out, 15108);
	mixed_3_b<<<171, 384>>>(p, out, 65536);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
