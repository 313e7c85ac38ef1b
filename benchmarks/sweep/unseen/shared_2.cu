/*
 * The struct sweep, shared 2: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned char a;
	float b;
};

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(64) shared_2_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_2_b(const record *p, float *out, int n)
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

int main()
{
	record *p;
	cudaMalloc(&p, 34893696 * sizeof(record));
	cudaMemset(p, 0, 34893696 * sizeof(record));
	float *out;
	cudaMalloc(&out, 34893696 * sizeof(float));
	cudaMemset(out, 0, 34893696 * sizeof(float));
	shared_2_a<<<3168, 64>>>(p, out, 202752);
	shared_2_a<<<137680, 64>>>(p, out, 8811520);
	shared_2_a<<<289012, 64>>>(p, out, 18496768);
	shared_2_b<<<6832, 64>>>(p, out, 437248);
	shared_2_b<<<159274, 64>>>(p, out, 10193536);
	shared_2_b<<<545214, 64>>>(p, out, 34893696);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
