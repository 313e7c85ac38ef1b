/*
 * The struct sweep, reduction 1: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Block sums, a record per thread, 1 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_1_a(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a;
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

/* A sum by shuffles and atomic additions, 1 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_1_b(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
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
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	float *out;
	cudaMalloc(&out, 67108864 * sizeof(float));
	cudaMemset(out, 0, 67108864 * sizeof(float));
	reduction_1_a<<<5475, 256>>>(p, out, 1401545);
	reduction_1_a<<<46012, 256>>>(p, out, 11779072);
	reduction_1_a<<<262144, 256>>>(p, out, 67108864);
	reduction_1_b<<<528, 512>>>(p, out, 2518016);
	reduction_1_b<<<264, 512>>>(p, out, 20206592);
	reduction_1_b<<<1056, 512>>>(p, out, 65874944);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
