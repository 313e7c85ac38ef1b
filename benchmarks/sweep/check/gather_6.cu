/*
 * The struct sweep, gather 6: records of 24 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c[2];
	float d;
	float e;
};

/* Records gathered within 1024 neighbours, 1 of the members read, float, 48 times fma. */
__global__ void __launch_bounds__(128) gather_6_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	for (int r = 0; r < 48; r++)
		x = x * 0.5f + 0.75f;
	q[i].e = (x * 0.5f);
}

/* Records gathered within 1024 neighbours, 5 of the members read, float, 32 accumulators, 48 rounds. */
__global__ void __launch_bounds__(192) gather_6_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a;
	x += 0.75f * p[j].b;
	x += 1.25f * p[j].c[0];
	x += 1.25f * p[j].c[1];
	x += 1.25f * p[j].d;
	x += 0.5f * p[j].e;
	float t[32];
#pragma unroll
	for (int s = 0; s < 32; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 48; r++)
#pragma unroll
		for (int s = 0; s < 32; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 32] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 32; s++)
		x += t[s];
	q[i].a = (x * 0.5f);
	q[i].b = (x * 0.75f);
	q[i].c[0] = (x * 1.0f);
	q[i].c[1] = (x * 1.0f);
	q[i].d = (x * 1.25f);
	q[i].e = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	record *q;
	cudaMalloc(&q, 4194304 * sizeof(record));
	cudaMemset(q, 0, 4194304 * sizeof(record));
	gather_6_a<<<1024, 128>>>(p, q, 131072);
	gather_6_a<<<8192, 128>>>(p, q, 1048576);
	gather_6_a<<<32768, 128>>>(p, q, 4194304);
	gather_6_b<<<683, 192>>>(p, q, 131072);
	gather_6_b<<<5462, 192>>>(p, q, 1048576);
	gather_6_b<<<21846, 192>>>(p, q, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
