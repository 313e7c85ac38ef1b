/*
 * The struct sweep, shared 3: records of 44 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b[2];
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
};

/* Tiles of 3 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(128) shared_3_a(const record *p, float *out, int n)
{
	__shared__ float tile[3][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].b[0];
	tile[2][t] = p[i].c;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][r & 127];
		x += 0.5f * tile[1][r & 127];
		x += 0.5f * tile[2][r & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 64 steps, float. */
__global__ void __launch_bounds__(64) shared_3_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].h;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 64; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 4783104 * sizeof(record));
	cudaMemset(p, 0, 4783104 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4783104 * sizeof(float));
	cudaMemset(out, 0, 4783104 * sizeof(float));
	shared_3_a<<<1357, 128>>>(p, out, 173696);
	shared_3_a<<<6016, 128>>>(p, out, 770048);
	shared_3_a<<<37368, 128>>>(p, out, 4783104);
	shared_3_b<<<1757, 64>>>(p, out, 112448);
	shared_3_b<<<20192, 64>>>(p, out, 1292288);
	shared_3_b<<<52836, 64>>>(p, out, 3381504);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
