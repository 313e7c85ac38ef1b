/*
 * The struct sweep, stencil 6: records of 28 bytes, 7 members. Written by generate.py.
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
};

/* Four neighbours in a plane, 2 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_6_a(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].d;
	x += 0.75f * p[i].g;
	x += 0.125f * p[i - 1].b;
	x += 0.125f * p[i + 1].b;
	x += 0.125f * p[i - n].b;
	x += 0.125f * p[i + n].b;
	out[i] = (float)(x + k);
}

/* Four neighbours in a plane, 7 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_6_b(const record *p, record *q, int n)
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
	x += 0.75f * p[i].c;
	x += 1.25f * p[i].d;
	x += 1.25f * p[i].e;
	x += 0.75f * p[i].f;
	x += 0.5f * p[i].g;
	x += 0.125f * p[i - 1].g;
	x += 0.125f * p[i + 1].g;
	x += 0.125f * p[i - n].g;
	x += 0.125f * p[i + n].g;
	q[i].a = (x * 0.5f);
	q[i].d = (x * 0.75f);
	q[i].e = (x * 1.0f);
	q[i].g = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 11075584 * sizeof(record));
	cudaMemset(p, 0, 11075584 * sizeof(record));
	float *out;
	cudaMalloc(&out, 11075584 * sizeof(float));
	cudaMemset(out, 0, 11075584 * sizeof(float));
	record *q;
	cudaMalloc(&q, 5517801 * sizeof(record));
	cudaMemset(q, 0, 5517801 * sizeof(record));
	stencil_6_a<<<dim3(10, 160), dim3(64, 4)>>>(p, out, 640);
	stencil_6_a<<<dim3(20, 312), dim3(64, 4)>>>(p, out, 1248);
	stencil_6_a<<<dim3(52, 832), dim3(64, 4)>>>(p, out, 3328);
	stencil_6_b<<<dim3(10, 38), dim3(32, 8)>>>(p, q, 303);
	stencil_6_b<<<dim3(36, 144), dim3(32, 8)>>>(p, q, 1152);
	stencil_6_b<<<dim3(74, 294), dim3(32, 8)>>>(p, q, 2349);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
