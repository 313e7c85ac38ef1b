/*
 * The struct sweep, mixed 8: records of 24 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	int c;
	float d;
	float e;
	int f;
};

/* Block sums of a striding grid, 3 of the members read, float, 24 times fma. */
__global__ void __launch_bounds__(256) mixed_8_a(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		x += 0.5f * p[i].b;
		k += p[i].f * 5;
		for (int r = 0; r < 24; r++)
			x = x * 0.5f + 0.75f;
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

/* Records gathered by a list, 1 of the members read, float. */
__global__ void __launch_bounds__(192) mixed_8_b(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
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
	cudaMalloc(&place, 16777216 * sizeof(int));
	cudaMemset(place, 0, 16777216 * sizeof(int));
	mixed_8_a<<<264, 256>>>(p, out, 512000);
	mixed_8_a<<<264, 256>>>(p, out, 2900992);
	mixed_8_a<<<264, 256>>>(p, out, 16777216);
	mixed_8_b<<<2075, 192>>>(p, out, place, 398336);
	mixed_8_b<<<9874, 192>>>(p, out, place, 1895641);
	mixed_8_b<<<87382, 192>>>(p, out, place, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
