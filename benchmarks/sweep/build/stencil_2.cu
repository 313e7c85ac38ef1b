/*
 * The struct sweep, stencil 2: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	short b;
	int c;
};

/* Four neighbours in a plane, 3 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_2_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a;
	k += p[i].b * 3;
	k += p[i].c * 3;
	x += 0.125f * p[i - 1].a;
	x += 0.125f * p[i + 1].a;
	x += 0.125f * p[i - n].a;
	x += 0.125f * p[i + n].a;
	q[i].c = (int)((k + 0));
}

/* Six neighbours in a box, 1 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_2_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	k += p[i].c * 3;
	x += 0.0833f * p[i - 1].a;
	x += 0.0833f * p[i + 1].a;
	x += 0.0833f * p[i - n].a;
	x += 0.0833f * p[i + n].a;
	x += 0.0833f * p[i - n * n].a;
	x += 0.0833f * p[i + n * n].a;
	q[i].a = (x * 0.5f);
	q[i].c = (int)((k + 1));
}

int main()
{
	record *p;
	cudaMalloc(&p, 19219456 * sizeof(record));
	cudaMemset(p, 0, 19219456 * sizeof(record));
	record *q;
	cudaMalloc(&q, 19219456 * sizeof(record));
	cudaMemset(q, 0, 19219456 * sizeof(record));
	stencil_2_a<<<dim3(13, 49), dim3(32, 8)>>>(p, q, 391);
	stencil_2_a<<<dim3(46, 184), dim3(32, 8)>>>(p, q, 1472);
	stencil_2_a<<<dim3(137, 548), dim3(32, 8)>>>(p, q, 4384);
	stencil_2_b<<<dim3(2, 16, 32), dim3(32, 4, 2)>>>(p, q, 64);
	stencil_2_b<<<dim3(5, 33, 66), dim3(32, 4, 2)>>>(p, q, 132);
	stencil_2_b<<<dim3(7, 56, 112), dim3(32, 4, 2)>>>(p, q, 224);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
