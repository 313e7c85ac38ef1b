/*
 * The struct sweep, shared 1: records of 40 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	double b;
	double c;
	short d;
	float e;
	float f;
	float g;
};

/* Tiles of 3 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(128) shared_1_a(const record *p, float *out, int n)
{
	__shared__ float tile[3][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = (float)p[i].b;
	tile[1][t] = p[i].e;
	tile[2][t] = p[i].f;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 127];
		x += 0.5f * tile[1][(t * 2 + r) & 127];
		x += 0.5f * tile[2][(t * 2 + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 3 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(128) shared_1_b(const record *p, float *out, int n)
{
	__shared__ float tile[3][129];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = (float)p[i].b;
	tile[2][t] = (float)p[i].c;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t + r) & 127];
		x += 0.5f * tile[1][(t + r) & 127];
		x += 0.5f * tile[2][(t + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 7598080 * sizeof(record));
	cudaMemset(p, 0, 7598080 * sizeof(record));
	float *out;
	cudaMalloc(&out, 7598080 * sizeof(float));
	cudaMemset(out, 0, 7598080 * sizeof(float));
	shared_1_a<<<258, 128>>>(p, out, 33024);
	shared_1_a<<<5460, 128>>>(p, out, 698880);
	shared_1_a<<<30976, 128>>>(p, out, 3964928);
	shared_1_b<<<784, 128>>>(p, out, 100352);
	shared_1_b<<<11304, 128>>>(p, out, 1446912);
	shared_1_b<<<59360, 128>>>(p, out, 7598080);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
