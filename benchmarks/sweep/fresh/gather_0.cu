/*
 * The struct sweep, gather 0: records of 32 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b;
	float c;
	float d;
	float e;
	float f;
	int g;
	float h;
};

/* Records gathered within 1024 neighbours, 8 of the members read, float, 48 accumulators, 24 rounds. */
__global__ void __launch_bounds__(64) gather_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	k += p[j].b * 3;
	x += 0.75f * p[j].c;
	x += 0.5f * p[j].d;
	x += 0.5f * p[j].e;
	x += 0.75f * p[j].f;
	k += p[j].g * 1;
	x += 0.75f * p[j].h;
	float t[48];
#pragma unroll
	for (int s = 0; s < 48; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 24; r++)
#pragma unroll
		for (int s = 0; s < 48; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 48] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 48; s++)
		x += t[s];
	out[i] = (float)(x + k);
}

/* Records gathered within 1024 neighbours, 8 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(192) gather_0_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	k += p[j].b * 5;
	x += 0.75f * p[j].c;
	x += 0.75f * p[j].d;
	x += 1.25f * p[j].e;
	x += 0.5f * p[j].f;
	k += p[j].g * 1;
	x += 0.5f * p[j].h;
	for (int r = 0; r < 6; r++)
		x = sqrtf(x + 0.5f);
	q[i].a = (x * 0.5f);
	q[i].b = (int)((k + 1));
	q[i].c = (x * 1.0f);
	q[i].d = (x * 1.25f);
	q[i].e = (x * 0.5f);
	q[i].f = (x * 0.75f);
	q[i].g = (int)((k + 6));
	q[i].h = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4194304 * sizeof(float));
	cudaMemset(out, 0, 4194304 * sizeof(float));
	record *q;
	cudaMalloc(&q, 4194304 * sizeof(record));
	cudaMemset(q, 0, 4194304 * sizeof(record));
	gather_0_a<<<4096, 64>>>(p, out, 262144);
	gather_0_a<<<32768, 64>>>(p, out, 2097152);
	gather_0_a<<<65536, 64>>>(p, out, 4194304);
	gather_0_b<<<342, 192>>>(p, q, 65536);
	gather_0_b<<<5462, 192>>>(p, q, 1048576);
	gather_0_b<<<21846, 192>>>(p, q, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
