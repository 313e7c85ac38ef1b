/*
 * The struct sweep, strided 1: records of 16 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
	unsigned char c;
};

/* Each thread a row of a matrix of records, 1 of the members read, float, 16 accumulators, 24 rounds. */
__global__ void __launch_bounds__(512) strided_1_a(const record *p, float *out, int n)
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
		x += 0.75f * (float)p[j].a;
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
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a row of a matrix of records, 1 of the members read, float. */
__global__ void __launch_bounds__(128) strided_1_b(const record *p, float *out, int n)
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
		x += 0.5f * p[j].b;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 26240000 * sizeof(record));
	cudaMemset(p, 0, 26240000 * sizeof(record));
	float *out;
	cudaMalloc(&out, 26240000 * sizeof(float));
	cudaMemset(out, 0, 26240000 * sizeof(float));
	strided_1_a<<<4, 512>>>(p, out, 1548);
	strided_1_a<<<32, 512>>>(p, out, 16384);
	strided_1_a<<<32, 512>>>(p, out, 16384);
	strided_1_b<<<7, 128>>>(p, out, 780);
	strided_1_b<<<113, 128>>>(p, out, 14339);
	strided_1_b<<<801, 128>>>(p, out, 102500);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
