/*
 * The struct sweep, shared 3: records of 56 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d[3];
	float e;
	float f[3];
	float g;
	float h;
	float i;
	float j;
};

/* Tiles of 3 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_3_a(const record *p, float *out, int n)
{
	__shared__ float tile[3][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].c;
	tile[2][t] = p[i].g;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][r & 63];
		x += 0.5f * tile[1][r & 63];
		x += 0.5f * tile[2][r & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(128) shared_3_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].g;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 3980288 * sizeof(record));
	cudaMemset(p, 0, 3980288 * sizeof(record));
	float *out;
	cudaMalloc(&out, 3980288 * sizeof(float));
	cudaMemset(out, 0, 3980288 * sizeof(float));
	shared_3_a<<<1200, 64>>>(p, out, 76800);
	shared_3_a<<<10816, 64>>>(p, out, 692224);
	shared_3_a<<<62192, 64>>>(p, out, 3980288);
	shared_3_b<<<370, 128>>>(p, out, 47360);
	shared_3_b<<<6504, 128>>>(p, out, 832512);
	shared_3_b<<<28488, 128>>>(p, out, 3646464);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
