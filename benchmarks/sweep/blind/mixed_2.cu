/*
 * The struct sweep, mixed 2: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* Records gathered within 1024 neighbours, 1 of the members read, float. */
__global__ void __launch_bounds__(1024) mixed_2_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].c;
	q[i].a = (x * 0.5f);
	q[i].b = (x * 0.75f);
	q[i].c = (x * 1.0f);
}

/* Records gathered by a list, 2 of the members read, float. */
__global__ void __launch_bounds__(64) mixed_2_b(const record *p, record *q, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a;
	x += 1.25f * p[j].b;
	q[i].b = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 14176256 * sizeof(record));
	cudaMemset(p, 0, 14176256 * sizeof(record));
	record *q;
	cudaMalloc(&q, 14176256 * sizeof(record));
	cudaMemset(q, 0, 14176256 * sizeof(record));
	int *place;
	cudaMalloc(&place, 14176256 * sizeof(int));
	cudaMemset(place, 0, 14176256 * sizeof(int));
	mixed_2_a<<<128, 1024>>>(p, q, 131072);
	mixed_2_a<<<2048, 1024>>>(p, q, 2097152);
	mixed_2_a<<<8192, 1024>>>(p, q, 8388608);
	mixed_2_b<<<7616, 64>>>(p, q, place, 487424);
	mixed_2_b<<<56555, 64>>>(p, q, place, 3619497);
	mixed_2_b<<<221504, 64>>>(p, q, place, 14176256);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
