/*
 * The struct sweep, gather 1: records of 56 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	int d;
	float e[3];
	short f;
	double g;
	float h;
	float i;
	int j;
};

/* Records gathered within 1024 neighbours, 8 of the members read, float. */
__global__ void __launch_bounds__(128) gather_1_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	x += 0.75f * p[j].c;
	k += p[j].d * 1;
	x += 0.75f * p[j].e[0];
	x += 0.75f * p[j].e[1];
	x += 0.5f * p[j].e[2];
	k += p[j].f * 5;
	x += 0.5f * (float)p[j].g;
	x += 0.75f * p[j].h;
	k += p[j].j * 3;
	q[i].a = (x * 0.5f);
	q[i].b = (x * 0.75f);
	q[i].c = (x * 1.0f);
	q[i].d = (int)((k + 3));
	q[i].e[0] = (x * 0.5f);
	q[i].e[1] = (x * 0.5f);
	q[i].e[2] = (x * 0.5f);
	q[i].f = (short)((k + 5) & 16383);
	q[i].g = (x * 1.0f);
	q[i].h = (x * 1.25f);
	q[i].i = (x * 0.5f);
	q[i].j = (int)((k + 9));
}

/* Records gathered within 1024 neighbours, 5 of the members read, float, 48 accumulators, 6 rounds. */
__global__ void __launch_bounds__(96) gather_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	x += 1.25f * p[j].b;
	x += 1.25f * p[j].e[0];
	x += 1.25f * p[j].e[1];
	x += 0.5f * p[j].i;
	k += p[j].j * 1;
	float t[48];
#pragma unroll
	for (int s = 0; s < 48; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 6; r++)
#pragma unroll
		for (int s = 0; s < 48; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 48] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 48; s++)
		x += t[s];
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	record *q;
	cudaMalloc(&q, 2097152 * sizeof(record));
	cudaMemset(q, 0, 2097152 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4194304 * sizeof(float));
	cudaMemset(out, 0, 4194304 * sizeof(float));
	gather_1_a<<<256, 128>>>(p, q, 32768);
	gather_1_a<<<4096, 128>>>(p, q, 524288);
	gather_1_a<<<16384, 128>>>(p, q, 2097152);
	gather_1_b<<<683, 96>>>(p, out, 65536);
	gather_1_b<<<10923, 96>>>(p, out, 1048576);
	gather_1_b<<<43691, 96>>>(p, out, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
