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

/* A sum by shuffles and atomic additions, 3 of the members read, float. */
__global__ void __launch_bounds__(128) mixed_2_a(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		x += 0.75f * p[i].b;
		x += 1.25f * p[i].c;
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

/* Streams records (guarded), 1 of the members read, float. */
__global__ void __launch_bounds__(192) mixed_2_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 60962816 * sizeof(record));
	cudaMemset(p, 0, 60962816 * sizeof(record));
	float *out;
	cudaMalloc(&out, 60962816 * sizeof(float));
	cudaMemset(out, 0, 60962816 * sizeof(float));
	mixed_2_a<<<1056, 128>>>(p, out, 500736);
	mixed_2_a<<<528, 128>>>(p, out, 3647488);
	mixed_2_a<<<1056, 128>>>(p, out, 60962816);
	mixed_2_b<<<3197, 192>>>(p, out, 613733);
	mixed_2_b<<<36021, 192>>>(p, out, 6915876);
	mixed_2_b<<<299003, 192>>>(p, out, 57408512);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
