/*
 * The struct sweep, stencil 3: records of 32 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	unsigned char b;
	float c;
	float d;
	float e;
	float f;
	int g;
	float h;
};

/* 2 neighbours on a line, 6 of the members read, float. */
__global__ void __launch_bounds__(512) stencil_3_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 1 || i >= n - 1)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[i].a * 3;
	k += p[i].b * 5;
	x += 0.5f * p[i].c;
	x += 0.75f * p[i].d;
	x += 0.75f * p[i].f;
	x += 0.5f * p[i].h;
	x += 0.25f * p[i - 1].c;
	x += 0.25f * p[i + 1].c;
	q[i].b = (unsigned char)((k + 0) & 127);
}

/* Four neighbours in a plane, 6 of the members read, float, 24 times sine. */
__global__ void __launch_bounds__(256) stencil_3_b(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	k += p[i].b * 5;
	x += 1.25f * p[i].c;
	x += 1.25f * p[i].d;
	x += 0.5f * p[i].e;
	x += 0.5f * p[i].f;
	k += p[i].g * 1;
	x += 0.125f * p[i - 1].d;
	x += 0.125f * p[i + 1].d;
	x += 0.125f * p[i - n].d;
	x += 0.125f * p[i + n].d;
	for (int r = 0; r < 24; r++)
		x = 1.0f + 0.5f * sinf(x);
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	record *q;
	cudaMalloc(&q, 5117952 * sizeof(record));
	cudaMemset(q, 0, 5117952 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	stencil_3_a<<<376, 512>>>(p, q, 192512);
	stencil_3_a<<<2390, 512>>>(p, q, 1223680);
	stencil_3_a<<<9996, 512>>>(p, q, 5117952);
	stencil_3_b<<<dim3(24, 24), dim3(16, 16)>>>(p, out, 384);
	stencil_3_b<<<dim3(90, 90), dim3(16, 16)>>>(p, out, 1428);
	stencil_3_b<<<dim3(256, 256), dim3(16, 16)>>>(p, out, 4096);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
