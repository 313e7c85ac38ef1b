/*
 * The struct sweep, stencil 1: records of 32 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
};

/* Four neighbours in a plane, 1 of the members read, float, 24 times exp. */
__global__ void __launch_bounds__(256) stencil_1_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].h;
	x += 0.125f * p[i - 1].e;
	x += 0.125f * p[i + 1].e;
	x += 0.125f * p[i - n].e;
	x += 0.125f * p[i + n].e;
	for (int r = 0; r < 24; r++)
		x = expf(-0.5f * x);
	q[i].g = (x * 0.5f);
}

/* 2 neighbours on a line, 2 of the members read, float. */
__global__ void __launch_bounds__(1024) stencil_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 1 || i >= n - 1)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].c;
	x += 1.25f * p[i].f;
	x += 0.25f * p[i - 1].h;
	x += 0.25f * p[i + 1].h;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 22169600 * sizeof(record));
	cudaMemset(p, 0, 22169600 * sizeof(record));
	record *q;
	cudaMalloc(&q, 4734976 * sizeof(record));
	cudaMemset(q, 0, 4734976 * sizeof(record));
	float *out;
	cudaMalloc(&out, 22169600 * sizeof(float));
	cudaMemset(out, 0, 22169600 * sizeof(float));
	stencil_1_a<<<dim3(26, 26), dim3(16, 16)>>>(p, q, 416);
	stencil_1_a<<<dim3(54, 54), dim3(16, 16)>>>(p, q, 864);
	stencil_1_a<<<dim3(136, 136), dim3(16, 16)>>>(p, q, 2176);
	stencil_1_b<<<221, 1024>>>(p, out, 225574);
	stencil_1_b<<<1286, 1024>>>(p, out, 1316864);
	stencil_1_b<<<21650, 1024>>>(p, out, 22169600);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
