/*
 * The struct sweep, stencil 1: records of 32 bytes, 7 members. Written by generate.py.
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
	float g[2];
};

/* Four neighbours in a plane, 4 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_1_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].b;
	x += 0.5f * p[i].c;
	x += 0.75f * p[i].d;
	x += 0.75f * p[i].e;
	x += 0.125f * p[i - 1].f;
	x += 0.125f * p[i + 1].f;
	x += 0.125f * p[i - n].f;
	x += 0.125f * p[i + n].f;
	q[i].g[0] = (x * 0.5f);
	q[i].g[1] = (x * 0.5f);
}

/* Six neighbours in a box, 5 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_1_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a;
	x += 0.75f * p[i].b;
	x += 0.75f * p[i].e;
	x += 0.5f * p[i].f;
	x += 0.5f * p[i].g[0];
	x += 0.75f * p[i].g[1];
	x += 0.0833f * p[i - 1].e;
	x += 0.0833f * p[i + 1].e;
	x += 0.0833f * p[i - n].e;
	x += 0.0833f * p[i + n].e;
	x += 0.0833f * p[i - n * n].e;
	x += 0.0833f * p[i + n * n].e;
	q[i].d = (x * 0.5f);
	q[i].e = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 6331625 * sizeof(record));
	cudaMemset(p, 0, 6331625 * sizeof(record));
	record *q;
	cudaMalloc(&q, 6331625 * sizeof(record));
	cudaMemset(q, 0, 6331625 * sizeof(record));
	stencil_1_a<<<dim3(6, 88), dim3(64, 4)>>>(p, q, 352);
	stencil_1_a<<<dim3(19, 289), dim3(64, 4)>>>(p, q, 1155);
	stencil_1_a<<<dim3(37, 592), dim3(64, 4)>>>(p, q, 2368);
	stencil_1_b<<<dim3(1, 8, 16), dim3(32, 4, 2)>>>(p, q, 32);
	stencil_1_b<<<dim3(3, 24, 48), dim3(32, 4, 2)>>>(p, q, 96);
	stencil_1_b<<<dim3(6, 47, 93), dim3(32, 4, 2)>>>(p, q, 185);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
