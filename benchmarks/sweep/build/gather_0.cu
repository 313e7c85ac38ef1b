/*
 * The struct sweep, gather 0: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* Records gathered within 1024 neighbours, 3 of the members read, float. */
__global__ void __launch_bounds__(128) gather_0_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	x += 1.25f * p[j].b;
	x += 1.25f * p[j].c;
	q[i].a = (x * 0.5f);
	q[i].c = (x * 0.75f);
}

/* Records gathered within 1024 neighbours, 1 of the members read, float. */
__global__ void __launch_bounds__(256) gather_0_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	q[i].b = (x * 0.5f);
	q[i].c = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	record *q;
	cudaMalloc(&q, 16777216 * sizeof(record));
	cudaMemset(q, 0, 16777216 * sizeof(record));
	gather_0_a<<<2048, 128>>>(p, q, 262144);
	gather_0_a<<<16384, 128>>>(p, q, 2097152);
	gather_0_a<<<65536, 128>>>(p, q, 8388608);
	gather_0_b<<<1024, 256>>>(p, q, 262144);
	gather_0_b<<<8192, 256>>>(p, q, 2097152);
	gather_0_b<<<65536, 256>>>(p, q, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
