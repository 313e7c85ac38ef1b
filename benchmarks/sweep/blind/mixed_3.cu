/*
 * The struct sweep, mixed 3: records of 24 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	double b;
	float c;
};

/* Records gathered within 1024 neighbours, 2 of the members read, double. */
__global__ void __launch_bounds__(192) mixed_3_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	double x = 0.25;
	int k = 1;
	x += 1.25 * p[j].b;
	x += 0.5 * p[j].c;
	q[i].a = (x * 0.5);
	q[i].b = (x * 0.75);
	q[i].c = (float)(x * 1.0);
}

/* Streams records (striding), 2 of the members read, float. */
__global__ void __launch_bounds__(64) mixed_3_b(const record *p, record *q, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * (float)p[i].a;
		x += 0.5f * p[i].c;
		q[i].a = (x * 0.5f);
		q[i].b = (x * 0.75f);
		q[i].c = (x * 1.0f);
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 12295168 * sizeof(record));
	cudaMemset(p, 0, 12295168 * sizeof(record));
	record *q;
	cudaMalloc(&q, 12295168 * sizeof(record));
	cudaMemset(q, 0, 12295168 * sizeof(record));
	mixed_3_a<<<683, 192>>>(p, q, 131072);
	mixed_3_a<<<5462, 192>>>(p, q, 1048576);
	mixed_3_a<<<43691, 192>>>(p, q, 8388608);
	mixed_3_b<<<528, 64>>>(p, q, 52757);
	mixed_3_b<<<1056, 64>>>(p, q, 984064);
	mixed_3_b<<<264, 64>>>(p, q, 12295168);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
