/*
 * The struct sweep, gather 3: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Records gathered within 1024 neighbours, 1 of the members read, float. */
__global__ void __launch_bounds__(32) gather_3_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	q[i].a = (x * 0.5f);
}

/* Records gathered from anywhere, 1 of the members read, float, 24 times sqrt. */
__global__ void __launch_bounds__(1024) gather_3_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a;
	for (int r = 0; r < 24; r++)
		x = sqrtf(x + 0.5f);
	q[i].a = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	record *q;
	cudaMalloc(&q, 16777216 * sizeof(record));
	cudaMemset(q, 0, 16777216 * sizeof(record));
	gather_3_a<<<16384, 32>>>(p, q, 524288);
	gather_3_a<<<262144, 32>>>(p, q, 8388608);
	gather_3_a<<<524288, 32>>>(p, q, 16777216);
	gather_3_b<<<1024, 1024>>>(p, q, 1048576);
	gather_3_b<<<8192, 1024>>>(p, q, 8388608);
	gather_3_b<<<16384, 1024>>>(p, q, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
