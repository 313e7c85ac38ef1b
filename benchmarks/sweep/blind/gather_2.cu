/*
 * The struct sweep, gather 2: records of 32 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	short a;
	float b;
	float c;
	double d;
	float e;
};

/* Records gathered within 1024 neighbours, 4 of the members read, double. */
__global__ void __launch_bounds__(256) gather_2_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	double x = 0.25;
	int k = 1;
	x += 0.5 * p[j].b;
	x += 1.25 * p[j].c;
	x += 1.25 * p[j].d;
	x += 0.5 * p[j].e;
	q[i].d = (x * 0.5);
}

/* Records gathered within 1024 neighbours, 1 of the members read, float. */
__global__ void __launch_bounds__(256) gather_2_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	k += p[j].a * 5;
	q[i].a = (short)((k + 0) & 16383);
	q[i].b = (x * 0.75f);
	q[i].c = (x * 1.0f);
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
	gather_2_a<<<256, 256>>>(p, q, 65536);
	gather_2_a<<<4096, 256>>>(p, q, 1048576);
	gather_2_a<<<16384, 256>>>(p, q, 4194304);
	gather_2_b<<<512, 256>>>(p, q, 131072);
	gather_2_b<<<2048, 256>>>(p, q, 524288);
	gather_2_b<<<16384, 256>>>(p, q, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
