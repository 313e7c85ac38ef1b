/*
 * The struct sweep, strided 1: records of 24 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	int c;
	double d;
};

/* Each thread a run of 4 records, 1 of the members read, double, 48 times exp. */
__global__ void __launch_bounds__(384) strided_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double sum = 0.25;
	int count = 0;
	for (int r = 0; r < 4; r++) {
		int j = i * 4 + r;
		double x = 0.25;
		int k = 1;
		x += 1.25 * p[j].d;
		for (int r = 0; r < 48; r++)
			x = exp(-0.5 * x);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a run of 4 records, 3 of the members read, float. */
__global__ void __launch_bounds__(96) strided_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 4; r++) {
		int j = i * 4 + r;
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[j].a;
		k += p[j].c * 1;
		x += 0.75f * (float)p[j].d;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16658788 * sizeof(record));
	cudaMemset(p, 0, 16658788 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16658788 * sizeof(float));
	cudaMemset(out, 0, 16658788 * sizeof(float));
	strided_1_a<<<303, 384>>>(p, out, 116224);
	strided_1_a<<<2293, 384>>>(p, out, 880365);
	strided_1_a<<<10846, 384>>>(p, out, 4164697);
	strided_1_b<<<1344, 96>>>(p, out, 129024);
	strided_1_b<<<3492, 96>>>(p, out, 335168);
	strided_1_b<<<23807, 96>>>(p, out, 2285398);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
