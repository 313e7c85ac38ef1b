/*
 * The struct sweep, shared 0: records of 20 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
};

/* Tiles of 2 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_0_a(const record *p, float *out, int n)
{
	__shared__ float tile[2][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][r & 63];
		x += 0.5f * tile[1][r & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 2 members in shared memory, 128 steps, float. */
__global__ void __launch_bounds__(128) shared_0_b(const record *p, float *out, int n)
{
	__shared__ float tile[2][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 128; r++) {
		x += 0.5f * tile[0][(t + r) & 127];
		x += 0.5f * tile[1][(t + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 13537280 * sizeof(record));
	cudaMemset(p, 0, 13537280 * sizeof(record));
	float *out;
	cudaMalloc(&out, 13537280 * sizeof(float));
	cudaMemset(out, 0, 13537280 * sizeof(float));
	shared_0_a<<<2992, 64>>>(p, out, 191488);
	shared_0_a<<<24858, 64>>>(p, out, 1590912);
	shared_0_a<<<211520, 64>>>(p, out, 13537280);
	shared_0_b<<<1898, 128>>>(p, out, 242944);
	shared_0_b<<<12616, 128>>>(p, out, 1614848);
	shared_0_b<<<85576, 128>>>(p, out, 10953728);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
