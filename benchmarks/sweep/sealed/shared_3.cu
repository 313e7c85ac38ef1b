/*
 * The struct sweep, shared 3: records of 32 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b[2];
	short c;
	float d;
	float e[3];
};

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(128) shared_3_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].d;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(64) shared_3_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].e[0];
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][r & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 9697280 * sizeof(record));
	cudaMemset(p, 0, 9697280 * sizeof(record));
	float *out;
	cudaMalloc(&out, 9697280 * sizeof(float));
	cudaMemset(out, 0, 9697280 * sizeof(float));
	shared_3_a<<<1344, 128>>>(p, out, 172032);
	shared_3_a<<<16344, 128>>>(p, out, 2092032);
	shared_3_a<<<31185, 128>>>(p, out, 3991680);
	shared_3_b<<<1776, 64>>>(p, out, 113664);
	shared_3_b<<<33793, 64>>>(p, out, 2162752);
	shared_3_b<<<151520, 64>>>(p, out, 9697280);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
