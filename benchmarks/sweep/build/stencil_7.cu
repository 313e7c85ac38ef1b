/*
 * The struct sweep, stencil 7: records of 32 bytes, 8 members. Written by generate.py.
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

/* Six neighbours in a box, 8 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_7_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 1.25f * p[i].b;
	x += 1.25f * p[i].c;
	x += 0.75f * p[i].d;
	x += 1.25f * p[i].e;
	x += 0.75f * p[i].f;
	x += 0.75f * p[i].g;
	x += 1.25f * p[i].h;
	x += 0.0833f * p[i - 1].b;
	x += 0.0833f * p[i + 1].b;
	x += 0.0833f * p[i - n].b;
	x += 0.0833f * p[i + n].b;
	x += 0.0833f * p[i - n * n].b;
	x += 0.0833f * p[i + n * n].b;
	q[i].a = (x * 0.5f);
	q[i].f = (x * 0.75f);
	q[i].g = (x * 1.0f);
	q[i].h = (x * 1.25f);
}

/* Four neighbours in a plane, 8 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_7_b(const record *p, record *q, int n)
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
	x += 0.5f * p[i].c;
	x += 1.25f * p[i].d;
	x += 0.5f * p[i].e;
	x += 0.5f * p[i].f;
	x += 0.75f * p[i].g;
	x += 0.75f * p[i].h;
	x += 0.125f * p[i - 1].g;
	x += 0.125f * p[i + 1].g;
	x += 0.125f * p[i - n].g;
	x += 0.125f * p[i + n].g;
	q[i].c = (x * 0.5f);
	q[i].d = (x * 0.75f);
	q[i].e = (x * 1.0f);
	q[i].f = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 7077888 * sizeof(record));
	cudaMemset(p, 0, 7077888 * sizeof(record));
	record *q;
	cudaMalloc(&q, 7077888 * sizeof(record));
	cudaMemset(q, 0, 7077888 * sizeof(record));
	stencil_7_a<<<dim3(2, 15, 29), dim3(32, 4, 2)>>>(p, q, 57);
	stencil_7_a<<<dim3(4, 27, 54), dim3(32, 4, 2)>>>(p, q, 108);
	stencil_7_a<<<dim3(6, 48, 96), dim3(32, 4, 2)>>>(p, q, 192);
	stencil_7_b<<<dim3(5, 72), dim3(64, 4)>>>(p, q, 288);
	stencil_7_b<<<dim3(14, 216), dim3(64, 4)>>>(p, q, 864);
	stencil_7_b<<<dim3(42, 664), dim3(64, 4)>>>(p, q, 2656);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
