/*
 * The struct sweep, shared 1: records of 44 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d[2];
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
};

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_1_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][65];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].i;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][r & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 3 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_1_b(const record *p, float *out, int n)
{
	__shared__ float tile[3][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].b;
	tile[2][t] = p[i].c;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t + r) & 63];
		x += 0.5f * tile[1][(t + r) & 63];
		x += 0.5f * tile[2][(t + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 7123264 * sizeof(record));
	cudaMemset(p, 0, 7123264 * sizeof(record));
	float *out;
	cudaMalloc(&out, 7123264 * sizeof(float));
	cudaMemset(out, 0, 7123264 * sizeof(float));
	shared_1_a<<<2656, 64>>>(p, out, 169984);
	shared_1_a<<<25808, 64>>>(p, out, 1651712);
	shared_1_a<<<111301, 64>>>(p, out, 7123264);
	shared_1_b<<<656, 64>>>(p, out, 41984);
	shared_1_b<<<22475, 64>>>(p, out, 1438400);
	shared_1_b<<<108512, 64>>>(p, out, 6944768);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
