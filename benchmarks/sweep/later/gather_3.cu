/*
 * The struct sweep, gather 3: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Records gathered within 1024 neighbours, 1 of the members read, float. */
__global__ void __launch_bounds__(128) gather_3_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].b;
	out[i] = (float)(x + k);
}

/* Records gathered from anywhere, 2 of the members read, float, 24 times sqrt. */
__global__ void __launch_bounds__(256) gather_3_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	x += 1.25f * p[j].b;
	for (int r = 0; r < 24; r++)
		x = sqrtf(x + 0.5f);
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
	gather_3_a<<<4096, 128>>>(p, out, 524288);
	gather_3_a<<<65536, 128>>>(p, out, 8388608);
	gather_3_a<<<131072, 128>>>(p, out, 16777216);
	gather_3_b<<<4096, 256>>>(p, out, 1048576);
	gather_3_b<<<32768, 256>>>(p, out, 8388608);
	gather_3_b<<<65536, 256>>>(p, out, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
