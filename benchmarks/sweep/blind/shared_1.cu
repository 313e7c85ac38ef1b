/*
 * The struct sweep, shared 1: records of 40 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[2];
	unsigned char b;
	float c;
	double d;
	double e;
	int f;
};

/* Tiles of 2 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(256) shared_1_a(const record *p, float *out, int n)
{
	__shared__ float tile[2][257];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].c;
	tile[1][t] = (float)p[i].d;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][r & 255];
		x += 0.5f * tile[1][r & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 3 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(64) shared_1_b(const record *p, float *out, int n)
{
	__shared__ float tile[3][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a[0];
	tile[1][t] = p[i].c;
	tile[2][t] = (float)p[i].d;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 63];
		x += 0.5f * tile[1][(t * 2 + r) & 63];
		x += 0.5f * tile[2][(t * 2 + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 6921216 * sizeof(record));
	cudaMemset(p, 0, 6921216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 6921216 * sizeof(float));
	cudaMemset(out, 0, 6921216 * sizeof(float));
	shared_1_a<<<120, 256>>>(p, out, 30720);
	shared_1_a<<<6902, 256>>>(p, out, 1766912);
	shared_1_a<<<27036, 256>>>(p, out, 6921216);
	shared_1_b<<<2640, 64>>>(p, out, 168960);
	shared_1_b<<<23376, 64>>>(p, out, 1496064);
	shared_1_b<<<98448, 64>>>(p, out, 6300672);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
