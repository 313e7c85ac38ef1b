/*
 * The struct sweep, shared 0: records of 104 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c[4];
	float d[4];
	int e;
	double f;
	float g;
	float h;
	float i;
	int j;
	float k;
	float l;
	double m;
	float n;
	short o;
	float p;
};

/* Tiles of 1 members in shared memory, 32 steps, double. */
__global__ void __launch_bounds__(256) shared_0_a(const record *p, float *out, int n)
{
	__shared__ double tile[1][257];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].c[0];
	__syncthreads();
	double x = 0.0;
	for (int r = 0; r < 32; r++) {
		x += 0.5 * tile[0][(t + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(256) shared_0_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].d[0];
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 2877440 * sizeof(record));
	cudaMemset(p, 0, 2877440 * sizeof(record));
	float *out;
	cudaMalloc(&out, 2877440 * sizeof(float));
	cudaMemset(out, 0, 2877440 * sizeof(float));
	shared_0_a<<<68, 256>>>(p, out, 17408);
	shared_0_a<<<2456, 256>>>(p, out, 628736);
	shared_0_a<<<7552, 256>>>(p, out, 1933312);
	shared_0_b<<<258, 256>>>(p, out, 66048);
	shared_0_b<<<3124, 256>>>(p, out, 799744);
	shared_0_b<<<11240, 256>>>(p, out, 2877440);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
