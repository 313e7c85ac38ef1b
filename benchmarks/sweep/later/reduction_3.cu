/*
 * The struct sweep, reduction 3: records of 8 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
};

/* A sum by shuffles and atomic additions, 1 of the members read, float. */
__global__ void __launch_bounds__(256) reduction_3_a(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * (float)p[i].a;
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

/* A sum by shuffles and atomic additions, 1 of the members read, double. */
__global__ void __launch_bounds__(128) reduction_3_b(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double x = 0.25;
		int k = 1;
		x += 1.25 * p[i].a;
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
	reduction_3_a<<<264, 256>>>(p, out, 654878);
	reduction_3_a<<<264, 256>>>(p, out, 6501376);
	reduction_3_a<<<1056, 256>>>(p, out, 66581504);
	reduction_3_b<<<264, 128>>>(p, out, 961536);
	reduction_3_b<<<528, 128>>>(p, out, 6309791);
	reduction_3_b<<<264, 128>>>(p, out, 67108864);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
