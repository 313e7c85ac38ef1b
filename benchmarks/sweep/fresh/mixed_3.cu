/*
 * The struct sweep, mixed 3: records of 20 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[4];
	float b;
};

/* Streams records (guarded), 1 of the members read, float. */
__global__ void __launch_bounds__(64) mixed_3_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a[0];
	x += 1.25f * p[i].a[1];
	out[i] = (float)(x + k);
}

/* Block sums of a striding grid, 2 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_3_b(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a[0];
		x += 0.75f * p[i].a[1];
		x += 0.75f * p[i].a[2];
		x += 1.25f * p[i].a[3];
		x += 0.5f * p[i].b;
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
	cudaMalloc(&p, 23423600 * sizeof(record));
	cudaMemset(p, 0, 23423600 * sizeof(record));
	float *out;
	cudaMalloc(&out, 23423600 * sizeof(float));
	cudaMemset(out, 0, 23423600 * sizeof(float));
	mixed_3_a<<<9056, 64>>>(p, out, 579584);
	mixed_3_a<<<56784, 64>>>(p, out, 3634176);
	mixed_3_a<<<365994, 64>>>(p, out, 23423600);
	mixed_3_b<<<528, 256>>>(p, out, 343040);
	mixed_3_b<<<264, 256>>>(p, out, 2665472);
	mixed_3_b<<<264, 256>>>(p, out, 17828864);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
