/*
 * The struct sweep, shared 1: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	short a;
	float b;
};

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_1_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(256) shared_1_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 37517312 * sizeof(record));
	cudaMemset(p, 0, 37517312 * sizeof(record));
	float *out;
	cudaMalloc(&out, 37517312 * sizeof(float));
	cudaMemset(out, 0, 37517312 * sizeof(float));
	shared_1_a<<<11632, 64>>>(p, out, 744448);
	shared_1_a<<<57888, 64>>>(p, out, 3704832);
	shared_1_a<<<544704, 64>>>(p, out, 34861056);
	shared_1_b<<<3460, 256>>>(p, out, 885760);
	shared_1_b<<<31945, 256>>>(p, out, 8177920);
	shared_1_b<<<146552, 256>>>(p, out, 37517312);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
