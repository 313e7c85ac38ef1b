/*
 * The struct sweep, shared 0: records of 56 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
	float c;
	float d[4];
	float e;
	double f;
	float g;
	float h;
};

/* Tiles of 3 members in shared memory, 64 steps, float. */
__global__ void __launch_bounds__(64) shared_0_a(const record *p, float *out, int n)
{
	__shared__ float tile[3][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = (float)p[i].a;
	tile[1][t] = p[i].b;
	tile[2][t] = p[i].c;
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

/* Tiles of 3 members in shared memory, 32 steps, double. */
__global__ void __launch_bounds__(256) shared_0_b(const record *p, float *out, int n)
{
	__shared__ double tile[3][256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].b;
	tile[2][t] = p[i].c;
	__syncthreads();
	double x = 0.0;
	for (int r = 0; r < 32; r++) {
		x += 0.5 * tile[0][r & 255];
		x += 0.5 * tile[1][r & 255];
		x += 0.5 * tile[2][r & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 5466112 * sizeof(record));
	cudaMemset(p, 0, 5466112 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5466112 * sizeof(float));
	cudaMemset(out, 0, 5466112 * sizeof(float));
	shared_0_a<<<1472, 64>>>(p, out, 94208);
	shared_0_a<<<8391, 64>>>(p, out, 537024);
	shared_0_a<<<85408, 64>>>(p, out, 5466112);
	shared_0_b<<<520, 256>>>(p, out, 133120);
	shared_0_b<<<3720, 256>>>(p, out, 952320);
	shared_0_b<<<16752, 256>>>(p, out, 4288512);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
