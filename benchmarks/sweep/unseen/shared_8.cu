/*
 * The struct sweep, shared 8: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(128) shared_8_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][129];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 64 steps, float. */
__global__ void __launch_bounds__(64) shared_8_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 64; r++) {
		x += 0.5f * tile[0][(t + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	float *out;
	cudaMalloc(&out, 67108864 * sizeof(float));
	cudaMemset(out, 0, 67108864 * sizeof(float));
	shared_8_a<<<3536, 128>>>(p, out, 452608);
	shared_8_a<<<52962, 128>>>(p, out, 6779136);
	shared_8_a<<<524288, 128>>>(p, out, 67108864);
	shared_8_b<<<19408, 64>>>(p, out, 1242112);
	shared_8_b<<<279398, 64>>>(p, out, 17881472);
	shared_8_b<<<950859, 64>>>(p, out, 60854976);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
