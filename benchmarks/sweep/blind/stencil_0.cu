/*
 * The struct sweep, stencil 0: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Four neighbours in a plane, 1 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_0_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	x += 0.125f * p[i - 1].a;
	x += 0.125f * p[i + 1].a;
	x += 0.125f * p[i - n].a;
	x += 0.125f * p[i + n].a;
	q[i].a = (x * 0.5f);
}

/* Four neighbours in a plane, 1 of the members read, float, 24 times exp. */
__global__ void __launch_bounds__(128) stencil_0_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 0.125f * p[i - 1].a;
	x += 0.125f * p[i + 1].a;
	x += 0.125f * p[i - n].a;
	x += 0.125f * p[i + n].a;
	for (int r = 0; r < 24; r++)
		x = expf(-0.5f * x);
	q[i].a = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 55115776 * sizeof(record));
	cudaMemset(p, 0, 55115776 * sizeof(record));
	record *q;
	cudaMalloc(&q, 55115776 * sizeof(record));
	cudaMemset(q, 0, 55115776 * sizeof(record));
	stencil_0_a<<<dim3(58, 58), dim3(16, 16)>>>(p, q, 928);
	stencil_0_a<<<dim3(195, 195), dim3(16, 16)>>>(p, q, 3120);
	stencil_0_a<<<dim3(464, 464), dim3(16, 16)>>>(p, q, 7424);
	stencil_0_b<<<dim3(33, 264), dim3(32, 4)>>>(p, q, 1056);
	stencil_0_b<<<dim3(101, 803), dim3(32, 4)>>>(p, q, 3212);
	stencil_0_b<<<dim3(128, 1024), dim3(32, 4)>>>(p, q, 4096);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
