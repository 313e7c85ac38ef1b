/*
 * The struct sweep, gather 1: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Records gathered within 1024 neighbours, 2 of the members read, float. */
__global__ void __launch_bounds__(512) gather_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	x += 0.75f * p[j].b;
	out[i] = (float)(x + k);
}

/* Records gathered by a list, 2 of the members read, float. */
__global__ void __launch_bounds__(64) gather_1_b(const record *p, record *q, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	x += 0.75f * p[j].b;
	q[i].a = (x * 0.5f);
	q[i].b = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	record *q;
	cudaMalloc(&q, 16777216 * sizeof(record));
	cudaMemset(q, 0, 16777216 * sizeof(record));
	int *place;
	cudaMalloc(&place, 16777216 * sizeof(int));
	cudaMemset(place, 0, 16777216 * sizeof(int));
	gather_1_a<<<1024, 512>>>(p, out, 524288);
	gather_1_a<<<8192, 512>>>(p, out, 4194304);
	gather_1_a<<<32768, 512>>>(p, out, 16777216);
	gather_1_b<<<9557, 64>>>(p, q, place, 611635);
	gather_1_b<<<60592, 64>>>(p, q, place, 3877888);
	gather_1_b<<<262144, 64>>>(p, q, place, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
