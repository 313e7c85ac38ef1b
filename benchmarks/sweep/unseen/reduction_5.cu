/*
 * The struct sweep, reduction 5: records of 32 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a[3];
	double b;
	float c;
};

/* Block sums of a striding grid, 1 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(256) reduction_5_a(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].c;
		for (int r = 0; r < 6; r++)
			x = sqrtf(x + 0.5f);
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
__global__ void __launch_bounds__(128) reduction_5_b(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		k += p[i].a[0] * 3;
		k += p[i].a[1] * 5;
		k += p[i].a[2] * 5;
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
	cudaMalloc(&p, 15752192 * sizeof(record));
	cudaMemset(p, 0, 15752192 * sizeof(record));
	float *out;
	cudaMalloc(&out, 15752192 * sizeof(float));
	cudaMemset(out, 0, 15752192 * sizeof(float));
	reduction_5_a<<<508, 256>>>(p, out, 130048);
	reduction_5_a<<<528, 256>>>(p, out, 1137664);
	reduction_5_a<<<1056, 256>>>(p, out, 15752192);
	reduction_5_b<<<528, 128>>>(p, out, 189986);
	reduction_5_b<<<528, 128>>>(p, out, 2882560);
	reduction_5_b<<<264, 128>>>(p, out, 11639808);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
