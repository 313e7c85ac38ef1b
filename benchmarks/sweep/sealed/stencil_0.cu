/*
 * The struct sweep, stencil 0: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	short c;
	float d;
};

/* Four neighbours in a plane, 4 of the members read, float. */
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
	x += 1.25f * p[i].b;
	k += p[i].c * 5;
	x += 1.25f * p[i].d;
	x += 0.125f * p[i - 1].a;
	x += 0.125f * p[i + 1].a;
	x += 0.125f * p[i - n].a;
	x += 0.125f * p[i + n].a;
	q[i].a = (x * 0.5f);
}

/* Four neighbours in a plane, 3 of the members read, float. */
__global__ void __launch_bounds__(128) stencil_0_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a;
	k += p[i].c * 1;
	x += 0.5f * p[i].d;
	x += 0.125f * p[i - 1].a;
	x += 0.125f * p[i + 1].a;
	x += 0.125f * p[i - n].a;
	x += 0.125f * p[i + n].a;
	q[i].b = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 10137856 * sizeof(record));
	cudaMemset(p, 0, 10137856 * sizeof(record));
	record *q;
	cudaMalloc(&q, 10137856 * sizeof(record));
	cudaMemset(q, 0, 10137856 * sizeof(record));
	stencil_0_a<<<dim3(30, 30), dim3(16, 16)>>>(p, q, 480);
	stencil_0_a<<<dim3(100, 100), dim3(16, 16)>>>(p, q, 1600);
	stencil_0_a<<<dim3(199, 199), dim3(16, 16)>>>(p, q, 3184);
	stencil_0_b<<<dim3(10, 75), dim3(32, 4)>>>(p, q, 300);
	stencil_0_b<<<dim3(46, 368), dim3(32, 4)>>>(p, q, 1472);
	stencil_0_b<<<dim3(94, 752), dim3(32, 4)>>>(p, q, 3008);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
