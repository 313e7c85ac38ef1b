/*
 * The struct sweep, shared 2: records of 36 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[2];
	float b[3];
	float c;
	float d;
	float e;
	float f;
};

/* Tiles of 3 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(256) shared_2_a(const record *p, float *out, int n)
{
	__shared__ float tile[3][256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a[0];
	tile[1][t] = p[i].b[0];
	tile[2][t] = p[i].c;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][r & 255];
		x += 0.5f * tile[1][r & 255];
		x += 0.5f * tile[2][r & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 3 members in shared memory, 128 steps, float. */
__global__ void __launch_bounds__(128) shared_2_b(const record *p, float *out, int n)
{
	__shared__ float tile[3][129];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a[0];
	tile[1][t] = p[i].b[0];
	tile[2][t] = p[i].c;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 128; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 127];
		x += 0.5f * tile[1][(t * 2 + r) & 127];
		x += 0.5f * tile[2][(t * 2 + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 5544960 * sizeof(record));
	cudaMemset(p, 0, 5544960 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5544960 * sizeof(float));
	cudaMemset(out, 0, 5544960 * sizeof(float));
	shared_2_a<<<412, 256>>>(p, out, 105472);
	shared_2_a<<<8384, 256>>>(p, out, 2146304);
	shared_2_a<<<17265, 256>>>(p, out, 4419840);
	shared_2_b<<<1120, 128>>>(p, out, 143360);
	shared_2_b<<<10090, 128>>>(p, out, 1291520);
	shared_2_b<<<43320, 128>>>(p, out, 5544960);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
