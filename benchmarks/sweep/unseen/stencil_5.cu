/*
 * The struct sweep, stencil 5: records of 68 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	float c;
	unsigned char d;
	float e[3];
	float f;
	float g;
	float h[4];
	int i;
	float j;
	int k;
	unsigned char l;
};

/* Four neighbours in a plane, 1 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_5_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	k += p[i].l * 1;
	x += 0.125f * p[i - 1].b;
	x += 0.125f * p[i + 1].b;
	x += 0.125f * p[i - n].b;
	x += 0.125f * p[i + n].b;
	q[i].b = (x * 0.5f);
	q[i].c = (x * 0.75f);
	q[i].d = (unsigned char)((k + 2) & 127);
	q[i].e[0] = (x * 1.25f);
	q[i].e[1] = (x * 1.25f);
	q[i].e[2] = (x * 1.25f);
	q[i].h[0] = (x * 0.5f);
	q[i].h[1] = (x * 0.5f);
	q[i].h[2] = (x * 0.5f);
	q[i].h[3] = (x * 0.5f);
	q[i].k = (int)((k + 5));
}

/* Six neighbours in a box, 3 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_5_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].c;
	x += 0.5f * p[i].f;
	k += p[i].k * 3;
	x += 0.0833f * p[i - 1].j;
	x += 0.0833f * p[i + 1].j;
	x += 0.0833f * p[i - n].j;
	x += 0.0833f * p[i + n].j;
	x += 0.0833f * p[i - n * n].j;
	x += 0.0833f * p[i + n * n].j;
	q[i].l = (unsigned char)((k + 0) & 127);
}

int main()
{
	record *p;
	cudaMalloc(&p, 2985984 * sizeof(record));
	cudaMemset(p, 0, 2985984 * sizeof(record));
	record *q;
	cudaMalloc(&q, 2985984 * sizeof(record));
	cudaMemset(q, 0, 2985984 * sizeof(record));
	stencil_5_a<<<dim3(8, 29), dim3(32, 8)>>>(p, q, 228);
	stencil_5_a<<<dim3(21, 84), dim3(32, 8)>>>(p, q, 672);
	stencil_5_a<<<dim3(54, 216), dim3(32, 8)>>>(p, q, 1728);
	stencil_5_b<<<dim3(1, 8, 16), dim3(32, 4, 2)>>>(p, q, 32);
	stencil_5_b<<<dim3(3, 19, 37), dim3(32, 4, 2)>>>(p, q, 73);
	stencil_5_b<<<dim3(3, 24, 48), dim3(32, 4, 2)>>>(p, q, 96);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
