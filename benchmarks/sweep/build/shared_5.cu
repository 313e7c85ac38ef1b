/*
 * The struct sweep, shared 5: records of 48 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
};

/* Tiles of 3 members in shared memory, 64 steps, float. */
__global__ void __launch_bounds__(64) shared_5_a(const record *p, float *out, int n)
{
	__shared__ float tile[3][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	tile[1][t] = p[i].c;
	tile[2][t] = p[i].e;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 64; r++) {
		x += 0.5f * tile[0][r & 63];
		x += 0.5f * tile[1][r & 63];
		x += 0.5f * tile[2][r & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 3 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(128) shared_5_b(const record *p, float *out, int n)
{
	__shared__ float tile[3][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].c;
	tile[1][t] = p[i].d;
	tile[2][t] = p[i].e;
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

int main()
{
	record *p;
	cudaMalloc(&p, 4997120 * sizeof(record));
	cudaMemset(p, 0, 4997120 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4997120 * sizeof(float));
	cudaMemset(out, 0, 4997120 * sizeof(float));
	shared_5_a<<<400, 64>>>(p, out, 25600);
	shared_5_a<<<18355, 64>>>(p, out, 1174720);
	shared_5_a<<<56208, 64>>>(p, out, 3597312);
	shared_5_b<<<1056, 128>>>(p, out, 135168);
	shared_5_b<<<13224, 128>>>(p, out, 1692672);
	shared_5_b<<<39040, 128>>>(p, out, 4997120);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
