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
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
	float m;
	float n[4];
	float o;
	float p;
};

/* Four neighbours in a plane, 8 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_3_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].b;
	x += 1.25f * p[i].d;
	x += 1.25f * p[i].e;
	x += 0.75f * p[i].g;
	x += 0.75f * p[i].h;
	x += 0.75f * p[i].k;
	x += 0.5f * p[i].m;
	x += 0.5f * p[i].n[0];
	x += 0.5f * p[i].n[1];
	x += 0.75f * p[i].n[2];
	x += 1.25f * p[i].n[3];
	x += 0.125f * p[i - 1].h;
	x += 0.125f * p[i + 1].h;
	x += 0.125f * p[i - n].h;
	x += 0.125f * p[i + n].h;
	q[i].b = (x * 0.5f);
	q[i].e = (x * 0.75f);
	q[i].h = (x * 1.0f);
	q[i].k = (x * 1.25f);
}

/* 8 neighbours on a line, 16 of the members read, float, 6 times exp. */
__global__ void __launch_bounds__(256) stencil_3_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 4 || i >= n - 4)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	x += 0.5f * p[i].b;
	x += 1.25f * p[i].c;
	x += 0.5f * p[i].d;
	x += 0.5f * p[i].e;
	x += 1.25f * p[i].f;
	x += 1.25f * p[i].g;
	x += 1.25f * p[i].h;
	x += 1.25f * p[i].i;
	x += 1.25f * p[i].j;
	x += 0.5f * p[i].k;
	x += 0.75f * p[i].l;
	x += 1.25f * p[i].m;
	x += 0.5f * p[i].n[0];
	x += 0.75f * p[i].n[1];
	x += 0.5f * p[i].o;
	x += 0.75f * p[i].p;
	x += 0.0625f * p[i - 1].a;
	x += 0.0625f * p[i + 1].a;
	x += 0.0625f * p[i - 2].a;
	x += 0.0625f * p[i + 2].a;
	x += 0.0625f * p[i - 3].a;
	x += 0.0625f * p[i + 3].a;
	x += 0.0625f * p[i - 4].a;
	x += 0.0625f * p[i + 4].a;
	for (int r = 0; r < 6; r++)
		x = expf(-0.5f * x);
	q[i].k = (x * 0.5f);
	q[i].m = (x * 0.75f);
	q[i].n[0] = (x * 1.0f);
	q[i].n[1] = (x * 1.0f);
	q[i].n[2] = (x * 1.0f);
	q[i].n[3] = (x * 1.0f);
	q[i].o = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 2985984 * sizeof(record));
	cudaMemset(p, 0, 2985984 * sizeof(record));
	record *q;
	cudaMalloc(&q, 2985984 * sizeof(record));
	cudaMemset(q, 0, 2985984 * sizeof(record));
	stencil_3_a<<<dim3(8, 32), dim3(32, 8)>>>(p, q, 256);
	stencil_3_a<<<dim3(22, 88), dim3(32, 8)>>>(p, q, 704);
	stencil_3_a<<<dim3(54, 216), dim3(32, 8)>>>(p, q, 1728);
	stencil_3_b<<<300, 256>>>(p, q, 76800);
	stencil_3_b<<<1720, 256>>>(p, q, 440320);
	stencil_3_b<<<7756, 256>>>(p, q, 1985536);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
