/*
 * The struct sweep, strided 5: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	short b;
	unsigned char c;
	double d;
};

/* Each thread a row of a matrix of records, 4 of the members read, double. */
__global__ void __launch_bounds__(512) strided_5_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double sum = 0.25;
	int count = 0;
	for (int r = 0; r < 256; r++) {
		int j = i * 256 + r;
		double x = 0.25;
		int k = 1;
		k += p[j].a * 3;
		k += p[j].b * 1;
		k += p[j].c * 5;
		x += 0.75 * p[j].d;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a row of a matrix of records, 4 of the members read, float, 32 accumulators, 6 rounds. */
__global__ void __launch_bounds__(384) strided_5_b(const record *p, float *out, int n)
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
		k += p[j].a * 5;
		k += p[j].b * 3;
		k += p[j].c * 1;
		x += 0.5f * (float)p[j].d;
		float t[32];
#pragma unroll
		for (int s = 0; s < 32; s++)
			t[s] = x + 0.125f * s;
		for (int r = 0; r < 6; r++)
#pragma unroll
			for (int s = 0; s < 32; s++)
				t[s] = t[s] * 0.5f + t[(s + 1) % 32] * 0.25f;
		x = 0.0f;
#pragma unroll
		for (int s = 0; s < 32; s++)
			x += t[s];
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 24634624 * sizeof(record));
	cudaMemset(p, 0, 24634624 * sizeof(record));
	float *out;
	cudaMalloc(&out, 24634624 * sizeof(float));
	cudaMemset(out, 0, 24634624 * sizeof(float));
	strided_5_a<<<6, 512>>>(p, out, 2660);
	strided_5_a<<<36, 512>>>(p, out, 18388);
	strided_5_a<<<188, 512>>>(p, out, 96229);
	strided_5_b<<<5, 384>>>(p, out, 1720);
	strided_5_b<<<31, 384>>>(p, out, 11884);
	strided_5_b<<<43, 384>>>(p, out, 16384);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
