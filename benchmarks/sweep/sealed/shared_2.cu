/*
 * The struct sweep, shared 2: records of 16 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
	float c;
};

/* Tiles of 2 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(64) shared_2_a(const record *p, float *out, int n)
{
	__shared__ float tile[2][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	tile[1][t] = p[i].c;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][r & 63];
		x += 0.5f * tile[1][r & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(128) shared_2_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][129];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 15662080 * sizeof(record));
	cudaMemset(p, 0, 15662080 * sizeof(record));
	float *out;
	cudaMalloc(&out, 15662080 * sizeof(float));
	cudaMemset(out, 0, 15662080 * sizeof(float));
	shared_2_a<<<4704, 64>>>(p, out, 301056);
	shared_2_a<<<77824, 64>>>(p, out, 4980736);
	shared_2_a<<<138336, 64>>>(p, out, 8853504);
	shared_2_b<<<3686, 128>>>(p, out, 471808);
	shared_2_b<<<27256, 128>>>(p, out, 3488768);
	shared_2_b<<<122360, 128>>>(p, out, 15662080);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
