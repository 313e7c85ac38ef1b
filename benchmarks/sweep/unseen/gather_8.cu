/*
 * The struct sweep, gather 8: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Records gathered within 1024 neighbours, 1 of the members read, float. */
__global__ void __launch_bounds__(256) gather_8_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a;
	out[i] = (float)(x + k);
}

/* Records gathered within 1024 neighbours, 1 of the members read, float. */
__global__ void __launch_bounds__(256) gather_8_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	gather_8_a<<<4096, 256>>>(p, out, 1048576);
	gather_8_a<<<65536, 256>>>(p, out, 16777216);
	gather_8_a<<<65536, 256>>>(p, out, 16777216);
	gather_8_b<<<4096, 256>>>(p, out, 1048576);
	gather_8_b<<<65536, 256>>>(p, out, 16777216);
	gather_8_b<<<65536, 256>>>(p, out, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
