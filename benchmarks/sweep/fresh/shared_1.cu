/*
 * The struct sweep, shared 1: records of 28 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b;
	float c;
	float d;
	float e;
	float f;
	float g;
};

/* Tiles of 3 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(128) shared_1_a(const record *p, float *out, int n)
{
	__shared__ float tile[3][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].c;
	tile[2][t] = p[i].d;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 127];
		x += 0.5f * tile[1][(t * 2 + r) & 127];
		x += 0.5f * tile[2][(t * 2 + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(256) shared_1_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].g;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 5885952 * sizeof(record));
	cudaMemset(p, 0, 5885952 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5885952 * sizeof(float));
	cudaMemset(out, 0, 5885952 * sizeof(float));
	shared_1_a<<<1244, 128>>>(p, out, 159232);
	shared_1_a<<<7586, 128>>>(p, out, 971008);
	shared_1_a<<<36752, 128>>>(p, out, 4704256);
	shared_1_b<<<916, 256>>>(p, out, 234496);
	shared_1_b<<<6784, 256>>>(p, out, 1736704);
	shared_1_b<<<22992, 256>>>(p, out, 5885952);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
