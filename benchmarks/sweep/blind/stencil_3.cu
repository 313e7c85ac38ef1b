/*
 * The struct sweep, stencil 3: records of 76 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f[4];
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
	float m;
	float n;
	float o;
	float p;
};

/* Four neighbours in a plane, 1 of the members read, float, 6 times exp. */
__global__ void __launch_bounds__(128) stencil_3_a(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].o;
	x += 0.125f * p[i - 1].o;
	x += 0.125f * p[i + 1].o;
	x += 0.125f * p[i - n].o;
	x += 0.125f * p[i + n].o;
	for (int r = 0; r < 6; r++)
		x = expf(-0.5f * x);
	out[i] = (float)(x + k);
}

/* Four neighbours in a plane, 4 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_3_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].e;
	x += 0.75f * p[i].j;
	x += 1.25f * p[i].k;
	x += 0.5f * p[i].o;
	x += 0.125f * p[i - 1].c;
	x += 0.125f * p[i + 1].c;
	x += 0.125f * p[i - n].c;
	x += 0.125f * p[i + n].c;
	q[i].c = (x * 0.5f);
	q[i].d = (x * 0.75f);
	q[i].e = (x * 1.0f);
	q[i].g = (x * 1.25f);
	q[i].k = (x * 0.5f);
	q[i].l = (x * 0.75f);
	q[i].m = (x * 1.0f);
	q[i].n = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 3564544 * sizeof(record));
	cudaMemset(p, 0, 3564544 * sizeof(record));
	float *out;
	cudaMalloc(&out, 3564544 * sizeof(float));
	cudaMemset(out, 0, 3564544 * sizeof(float));
	record *q;
	cudaMalloc(&q, 3097600 * sizeof(record));
	cudaMemset(q, 0, 3097600 * sizeof(record));
	stencil_3_a<<<dim3(10, 80), dim3(32, 4)>>>(p, out, 320);
	stencil_3_a<<<dim3(29, 232), dim3(32, 4)>>>(p, out, 926);
	stencil_3_a<<<dim3(59, 472), dim3(32, 4)>>>(p, out, 1888);
	stencil_3_b<<<dim3(7, 28), dim3(32, 8)>>>(p, q, 224);
	stencil_3_b<<<dim3(20, 80), dim3(32, 8)>>>(p, q, 640);
	stencil_3_b<<<dim3(55, 220), dim3(32, 8)>>>(p, q, 1760);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
