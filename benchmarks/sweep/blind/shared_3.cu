/*
 * The struct sweep, shared 3: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
};

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_3_a(const record *p, float *out, int n)
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

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_3_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][65];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 30266368 * sizeof(record));
	cudaMemset(p, 0, 30266368 * sizeof(record));
	float *out;
	cudaMalloc(&out, 30266368 * sizeof(float));
	cudaMemset(out, 0, 30266368 * sizeof(float));
	shared_3_a<<<2368, 64>>>(p, out, 151552);
	shared_3_a<<<96912, 64>>>(p, out, 6202368);
	shared_3_a<<<460576, 64>>>(p, out, 29476864);
	shared_3_b<<<4864, 64>>>(p, out, 311296);
	shared_3_b<<<135568, 64>>>(p, out, 8676352);
	shared_3_b<<<472912, 64>>>(p, out, 30266368);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
