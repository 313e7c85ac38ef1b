/*
 * The struct sweep, shared 2: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	short a;
	float b;
};

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(128) shared_2_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(256) shared_2_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][257];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 29465600 * sizeof(record));
	cudaMemset(p, 0, 29465600 * sizeof(record));
	float *out;
	cudaMalloc(&out, 29465600 * sizeof(float));
	cudaMemset(out, 0, 29465600 * sizeof(float));
	shared_2_a<<<5192, 128>>>(p, out, 664576);
	shared_2_a<<<38272, 128>>>(p, out, 4898816);
	shared_2_a<<<230200, 128>>>(p, out, 29465600);
	shared_2_b<<<2240, 256>>>(p, out, 573440);
	shared_2_b<<<30849, 256>>>(p, out, 7897344);
	shared_2_b<<<63148, 256>>>(p, out, 16165888);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
