/*
 * The struct sweep, mixed 0: records of 24 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	double b;
	float c;
};

/* Four neighbours in a plane, 3 of the members read, double, 12 times exp. */
__global__ void __launch_bounds__(256) mixed_0_a(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	double x = 0.25;
	int k = 1;
	x += 0.5 * p[i].a;
	x += 0.5 * p[i].b;
	x += 0.5 * p[i].c;
	x += 0.125 * p[i - 1].a;
	x += 0.125 * p[i + 1].a;
	x += 0.125 * p[i - n].a;
	x += 0.125 * p[i + n].a;
	for (int r = 0; r < 12; r++)
		x = exp(-0.5 * x);
	out[i] = (float)(x + k);
}

/* 2 neighbours on a line, 1 of the members read, float. */
__global__ void __launch_bounds__(384) mixed_0_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 1 || i >= n - 1)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].c;
	x += 0.25f * p[i - 1].c;
	x += 0.25f * p[i + 1].c;
	q[i].c = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	record *q;
	cudaMalloc(&q, 14013600 * sizeof(record));
	cudaMemset(q, 0, 14013600 * sizeof(record));
	mixed_0_a<<<dim3(36, 36), dim3(16, 16)>>>(p, out, 576);
	mixed_0_a<<<dim3(74, 74), dim3(16, 16)>>>(p, out, 1171);
	mixed_0_a<<<dim3(256, 256), dim3(16, 16)>>>(p, out, 4096);
	mixed_0_b<<<574, 384>>>(p, q, 220160);
	mixed_0_b<<<2192, 384>>>(p, q, 841728);
	mixed_0_b<<<36494, 384>>>(p, q, 14013600);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
