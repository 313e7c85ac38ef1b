/*
 * The struct sweep, reduction 2: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
};

/* Block sums, a record per thread, 4 of the members read, float. */
__global__ void __launch_bounds__(128) reduction_2_a(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		x += 1.25f * p[i].b;
		x += 0.75f * p[i].c;
		x += 0.5f * p[i].d;
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

/* A sum by shuffles and atomic additions, 2 of the members read, float, 24 times sine. */
__global__ void __launch_bounds__(128) reduction_2_b(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		x += 1.25f * p[i].c;
		for (int r = 0; r < 24; r++)
			x = 1.0f + 0.5f * sinf(x);
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
	cudaMalloc(&p, 39440971 * sizeof(record));
	cudaMemset(p, 0, 39440971 * sizeof(record));
	float *out;
	cudaMalloc(&out, 39440971 * sizeof(float));
	cudaMemset(out, 0, 39440971 * sizeof(float));
	reduction_2_a<<<6080, 128>>>(p, out, 778240);
	reduction_2_a<<<30446, 128>>>(p, out, 3897081);
	reduction_2_a<<<308133, 128>>>(p, out, 39440971);
	reduction_2_b<<<528, 128>>>(p, out, 419483);
	reduction_2_b<<<528, 128>>>(p, out, 2780160);
	reduction_2_b<<<528, 128>>>(p, out, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
