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
	x += 1.25f * p[i].a;
	x += 0.5f * p[i].b;
	x += 0.125f * p[i - 1].b;
	x += 0.125f * p[i + 1].b;
	x += 0.125f * p[i - n].b;
	x += 0.125f * p[i + n].b;
	q[i].b = (x * 0.5f);
}

/* Four neighbours in a plane, 2 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_1_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 0.75f * p[i].b;
	x += 0.125f * p[i - 1].c;
	x += 0.125f * p[i + 1].c;
	x += 0.125f * p[i - n].c;
	x += 0.125f * p[i + n].c;
	q[i].a = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 18939904 * sizeof(record));
	cudaMemset(p, 0, 18939904 * sizeof(record));
	record *q;
	cudaMalloc(&q, 18939904 * sizeof(record));
	cudaMemset(q, 0, 18939904 * sizeof(record));
	stencil_1_a<<<dim3(22, 88), dim3(32, 8)>>>(p, q, 704);
	stencil_1_a<<<dim3(43, 170), dim3(32, 8)>>>(p, q, 1356);
	stencil_1_a<<<dim3(129, 516), dim3(32, 8)>>>(p, q, 4128);
	stencil_1_b<<<dim3(11, 168), dim3(64, 4)>>>(p, q, 672);
	stencil_1_b<<<dim3(30, 472), dim3(64, 4)>>>(p, q, 1888);
	stencil_1_b<<<dim3(68, 1088), dim3(64, 4)>>>(p, q, 4352);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
