/*
 * The struct sweep, mixed 0: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* 2 neighbours on a line, 1 of the members read, float, 48 accumulators, 12 rounds. */
__global__ void __launch_bounds__(96) mixed_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 1 || i >= n - 1)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].b;
	x += 0.25f * p[i - 1].b;
	x += 0.25f * p[i + 1].b;
	float t[48];
#pragma unroll
	for (int s = 0; s < 48; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 12; r++)
#pragma unroll
		for (int s = 0; s < 48; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 48] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 48; s++)
		x += t[s];
	out[i] = (float)(x + k);
}

/* Block sums of a striding grid, 1 of the members read, float, 16 accumulators, 24 rounds. */
__global__ void __launch_bounds__(256) mixed_0_b(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a;
		float t[16];
#pragma unroll
		for (int s = 0; s < 16; s++)
			t[s] = x + 0.125f * s;
		for (int r = 0; r < 24; r++)
#pragma unroll
			for (int s = 0; s < 16; s++)
				t[s] = t[s] * 0.5f + t[(s + 1) % 16] * 0.25f;
		x = 0.0f;
#pragma unroll
		for (int s = 0; s < 16; s++)
			x += t[s];
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
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4194304 * sizeof(float));
	cudaMemset(out, 0, 4194304 * sizeof(float));
	mixed_0_a<<<6710, 96>>>(p, out, 644096);
	mixed_0_a<<<43691, 96>>>(p, out, 4194304);
	mixed_0_a<<<43691, 96>>>(p, out, 4194304);
	mixed_0_b<<<528, 256>>>(p, out, 839383);
	mixed_0_b<<<264, 256>>>(p, out, 4194304);
	mixed_0_b<<<528, 256>>>(p, out, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
