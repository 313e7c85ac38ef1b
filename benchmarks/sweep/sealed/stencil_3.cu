/*
 * The struct sweep, stencil 3: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
};

/* 8 neighbours on a line, 4 of the members read, float, 12 times sqrt. */
__global__ void __launch_bounds__(96) stencil_3_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 4 || i >= n - 4)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a;
	x += 1.25f * p[i].b;
	x += 1.25f * p[i].c;
	x += 0.75f * p[i].d;
	x += 0.0625f * p[i - 1].a;
	x += 0.0625f * p[i + 1].a;
	x += 0.0625f * p[i - 2].a;
	x += 0.0625f * p[i + 2].a;
	x += 0.0625f * p[i - 3].a;
	x += 0.0625f * p[i + 3].a;
	x += 0.0625f * p[i - 4].a;
	x += 0.0625f * p[i + 4].a;
	for (int r = 0; r < 12; r++)
		x = sqrtf(x + 0.5f);
	q[i].c = (x * 0.5f);
	q[i].d = (x * 0.75f);
}

/* Six neighbours in a box, 2 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_3_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].b;
	x += 0.5f * p[i].c;
	x += 0.0833f * p[i - 1].a;
	x += 0.0833f * p[i + 1].a;
	x += 0.0833f * p[i - n].a;
	x += 0.0833f * p[i + n].a;
	x += 0.0833f * p[i - n * n].a;
	x += 0.0833f * p[i + n * n].a;
	q[i].b = (x * 0.5f);
	q[i].d = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	record *q;
	cudaMalloc(&q, 16777216 * sizeof(record));
	cudaMemset(q, 0, 16777216 * sizeof(record));
	stencil_3_a<<<2116, 96>>>(p, q, 203115);
	stencil_3_a<<<29975, 96>>>(p, q, 2877600);
	stencil_3_a<<<174763, 96>>>(p, q, 16777216);
	stencil_3_b<<<dim3(2, 16, 32), dim3(32, 4, 2)>>>(p, q, 64);
	stencil_3_b<<<dim3(3, 24, 48), dim3(32, 4, 2)>>>(p, q, 96);
	stencil_3_b<<<dim3(8, 64, 128), dim3(32, 4, 2)>>>(p, q, 256);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
