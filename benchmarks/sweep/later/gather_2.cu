/*
 * The struct sweep, gather 2: records of 20 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c[3];
};

/* Records gathered within 1024 neighbours, 3 of the members read, float. */
__global__ void __launch_bounds__(64) gather_2_a(const record *p, float *out, int n)
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
	out[i] = (float)(x + k);
}

/* Records gathered from anywhere, 3 of the members read, float. */
__global__ void __launch_bounds__(256) gather_2_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	x += 0.75f * p[j].b;
	x += 0.75f * p[j].c[0];
	x += 0.75f * p[j].c[1];
	q[i].a = (x * 0.5f);
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
	cudaMalloc(&q, 8388608 * sizeof(record));
	cudaMemset(q, 0, 8388608 * sizeof(record));
	gather_2_a<<<4096, 64>>>(p, out, 262144);
	gather_2_a<<<32768, 64>>>(p, out, 2097152);
	gather_2_a<<<262144, 64>>>(p, out, 16777216);
	gather_2_b<<<256, 256>>>(p, q, 65536);
	gather_2_b<<<4096, 256>>>(p, q, 1048576);
	gather_2_b<<<32768, 256>>>(p, q, 8388608);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
