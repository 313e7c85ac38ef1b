/*
 * The struct sweep, stencil 1: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* Four neighbours in a plane, 2 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_1_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].b;
	x += 1.25f * p[i].c;
	x += 0.125f * p[i - 1].b;
	x += 0.125f * p[i + 1].b;
	x += 0.125f * p[i - n].b;
	x += 0.125f * p[i + n].b;
	q[i].a = (x * 0.5f);
}

/* 2 neighbours on a line, 3 of the members read, float. */
__global__ void __launch_bounds__(96) stencil_1_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 1 || i >= n - 1)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a;
	x += 0.75f * p[i].b;
	x += 0.75f * p[i].c;
	x += 0.25f * p[i - 1].a;
	x += 0.25f * p[i + 1].a;
	q[i].a = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 26081449 * sizeof(record));
	cudaMemset(p, 0, 26081449 * sizeof(record));
	record *q;
	cudaMalloc(&q, 26081449 * sizeof(record));
	cudaMemset(q, 0, 26081449 * sizeof(record));
	stencil_1_a<<<dim3(44, 44), dim3(16, 16)>>>(p, q, 704);
	stencil_1_a<<<dim3(74, 74), dim3(16, 16)>>>(p, q, 1184);
	stencil_1_a<<<dim3(320, 320), dim3(16, 16)>>>(p, q, 5107);
	stencil_1_b<<<2060, 96>>>(p, q, 197696);
	stencil_1_b<<<36300, 96>>>(p, q, 3484728);
	stencil_1_b<<<186464, 96>>>(p, q, 17900544);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
