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

/* Four neighbours in a plane, 2 of the members read, float. */
__global__ void __launch_bounds__(128) stencil_3_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].b;
	x += 0.5f * p[i].d;
	x += 0.125f * p[i - 1].b;
	x += 0.125f * p[i + 1].b;
	x += 0.125f * p[i - n].b;
	x += 0.125f * p[i + n].b;
	q[i].a = (x * 0.5f);
}

/* Six neighbours in a box, 3 of the members read, float. */
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
	x += 0.5f * p[i].a;
	x += 1.25f * p[i].b;
	x += 1.25f * p[i].c;
	x += 0.0833f * p[i - 1].d;
	x += 0.0833f * p[i + 1].d;
	x += 0.0833f * p[i - n].d;
	x += 0.0833f * p[i + n].d;
	x += 0.0833f * p[i - n * n].d;
	x += 0.0833f * p[i + n * n].d;
	q[i].d = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	record *q;
	cudaMalloc(&q, 16777216 * sizeof(record));
	cudaMemset(q, 0, 16777216 * sizeof(record));
	stencil_3_a<<<dim3(19, 152), dim3(32, 4)>>>(p, q, 608);
	stencil_3_a<<<dim3(36, 288), dim3(32, 4)>>>(p, q, 1150);
	stencil_3_a<<<dim3(97, 776), dim3(32, 4)>>>(p, q, 3104);
	stencil_3_b<<<dim3(1, 4, 32), dim3(32, 8)>>>(p, q, 32);
	stencil_3_b<<<dim3(3, 12, 96), dim3(32, 8)>>>(p, q, 96);
	stencil_3_b<<<dim3(8, 32, 256), dim3(32, 8)>>>(p, q, 256);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
