/*
 * The struct sweep, shared 4: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	short a;
	float b;
};

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(128) shared_4_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][129];
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

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(128) shared_4_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][128];
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
	cudaMalloc(&p, 17312640 * sizeof(record));
	cudaMemset(p, 0, 17312640 * sizeof(record));
	float *out;
	cudaMalloc(&out, 17312640 * sizeof(float));
	cudaMemset(out, 0, 17312640 * sizeof(float));
	shared_4_a<<<1936, 128>>>(p, out, 247808);
	shared_4_a<<<27177, 128>>>(p, out, 3478656);
	shared_4_a<<<135255, 128>>>(p, out, 17312640);
	shared_4_b<<<1864, 128>>>(p, out, 238592);
	shared_4_b<<<26128, 128>>>(p, out, 3344384);
	shared_4_b<<<131528, 128>>>(p, out, 16835584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
