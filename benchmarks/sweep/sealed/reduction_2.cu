/*
 * The struct sweep, reduction 2: records of 72 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	int c;
	double d;
	float e;
	double f;
	float g;
	double h;
	float i[2];
	double j;
};

/* Block sums of a striding grid, 2 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_2_a(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a;
		x += 1.25f * (float)p[i].d;
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

/* A sum by shuffles and atomic additions, 2 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_2_b(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].b;
		k += p[i].c * 1;
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
	cudaMalloc(&p, 5203022 * sizeof(record));
	cudaMemset(p, 0, 5203022 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5203022 * sizeof(float));
	cudaMemset(out, 0, 5203022 * sizeof(float));
	reduction_2_a<<<339, 256>>>(p, out, 86605);
	reduction_2_a<<<264, 256>>>(p, out, 997376);
	reduction_2_a<<<1056, 256>>>(p, out, 5203022);
	reduction_2_b<<<109, 512>>>(p, out, 55331);
	reduction_2_b<<<528, 512>>>(p, out, 1130496);
	reduction_2_b<<<264, 512>>>(p, out, 4974029);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
