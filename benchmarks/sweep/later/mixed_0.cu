/*
 * The struct sweep, mixed 0: records of 48 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[3];
	float b;
	float c[3];
	float d;
	float e;
	float f;
	float g;
	float h;
};

/* Streams records (guarded), 8 of the members read, float, 48 times exp. */
__global__ void __launch_bounds__(256) mixed_0_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a[0];
	x += 0.5f * p[i].a[1];
	x += 0.75f * p[i].b;
	x += 0.5f * p[i].c[0];
	x += 0.5f * p[i].c[1];
	x += 0.5f * p[i].c[2];
	x += 0.5f * p[i].d;
	x += 0.75f * p[i].e;
	x += 0.5f * p[i].f;
	x += 1.25f * p[i].g;
	x += 0.5f * p[i].h;
	for (int r = 0; r < 48; r++)
		x = expf(-0.5f * x);
	q[i].a[0] = (x * 0.5f);
	q[i].a[1] = (x * 0.5f);
	q[i].a[2] = (x * 0.5f);
}

/* Records gathered within 1024 neighbours, 2 of the members read, float. */
__global__ void __launch_bounds__(32) mixed_0_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a[0];
	x += 1.25f * p[j].a[1];
	x += 0.5f * p[j].e;
	q[i].b = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5577113 * sizeof(record));
	cudaMemset(p, 0, 5577113 * sizeof(record));
	record *q;
	cudaMalloc(&q, 5577113 * sizeof(record));
	cudaMemset(q, 0, 5577113 * sizeof(record));
	mixed_0_a<<<468, 256>>>(p, q, 119808);
	mixed_0_a<<<1936, 256>>>(p, q, 495616);
	mixed_0_a<<<21786, 256>>>(p, q, 5577113);
	mixed_0_b<<<2048, 32>>>(p, q, 65536);
	mixed_0_b<<<16384, 32>>>(p, q, 524288);
	mixed_0_b<<<65536, 32>>>(p, q, 2097152);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
