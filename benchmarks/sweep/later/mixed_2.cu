/*
 * The struct sweep, mixed 2: records of 32 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned char a;
	float b;
	float c;
	double d;
	float e;
	short f;
};

/* Streams records (guarded), 3 of the members read, float. */
__global__ void __launch_bounds__(128) mixed_2_a(record *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].b;
	x += 1.25f * (float)p[i].d;
	k += p[i].f * 1;
	p[i].a = (unsigned char)((k + 0) & 127);
	p[i].e = (x * 0.75f);
}

/* A sum by shuffles and atomic additions, 2 of the members read, float. */
__global__ void __launch_bounds__(512) mixed_2_b(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].c;
		k += p[i].f * 3;
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

int main()
{
	record *p;
	cudaMalloc(&p, 8748032 * sizeof(record));
	cudaMemset(p, 0, 8748032 * sizeof(record));
	float *out;
	cudaMalloc(&out, 8748032 * sizeof(float));
	cudaMemset(out, 0, 8748032 * sizeof(float));
	mixed_2_a<<<2528, 128>>>(p, 323584);
	mixed_2_a<<<10704, 128>>>(p, 1370112);
	mixed_2_a<<<67328, 128>>>(p, 8617984);
	mixed_2_b<<<264, 512>>>(p, out, 331793);
	mixed_2_b<<<264, 512>>>(p, out, 2152448);
	mixed_2_b<<<1056, 512>>>(p, out, 8748032);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
