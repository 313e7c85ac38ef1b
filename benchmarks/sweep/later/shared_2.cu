/*
 * The struct sweep, shared 2: records of 40 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	int b;
	int c;
	float d;
	int e;
	int f;
	float g;
	float h;
};

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(64) shared_2_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = (float)p[i].a;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(64) shared_2_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = (float)p[i].a;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 6765568 * sizeof(record));
	cudaMemset(p, 0, 6765568 * sizeof(record));
	float *out;
	cudaMalloc(&out, 6765568 * sizeof(float));
	cudaMemset(out, 0, 6765568 * sizeof(float));
	shared_2_a<<<2464, 64>>>(p, out, 157696);
	shared_2_a<<<27285, 64>>>(p, out, 1746240);
	shared_2_a<<<105712, 64>>>(p, out, 6765568);
	shared_2_b<<<2912, 64>>>(p, out, 186368);
	shared_2_b<<<22478, 64>>>(p, out, 1438592);
	shared_2_b<<<52656, 64>>>(p, out, 3369984);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
