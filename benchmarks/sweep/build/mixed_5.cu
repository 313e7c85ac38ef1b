/*
 * The struct sweep, mixed 5: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Block sums of a striding grid, 1 of the members read, float, 48 times sqrt. */
__global__ void __launch_bounds__(256) mixed_5_a(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a;
		for (int r = 0; r < 48; r++)
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

/* Records gathered by a list, 1 of the members read, float, 16 accumulators, 12 rounds. */
__global__ void __launch_bounds__(64) mixed_5_b(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	float t[16];
#pragma unroll
	for (int s = 0; s < 16; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 12; r++)
#pragma unroll
		for (int s = 0; s < 16; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 16] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 16; s++)
		x += t[s];
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	int *place;
	cudaMalloc(&place, 4194304 * sizeof(int));
	cudaMemset(place, 0, 4194304 * sizeof(int));
	mixed_5_a<<<1056, 256>>>(p, out, 3103744);
	mixed_5_a<<<1056, 256>>>(p, out, 9614336);
	mixed_5_a<<<1056, 256>>>(p, out, 16777216);
	mixed_5_b<<<44688, 64>>>(p, out, place, 2860032);
	mixed_5_b<<<65536, 64>>>(p, out, place, 4194304);
	mixed_5_b<<<65536, 64>>>(p, out, place, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
