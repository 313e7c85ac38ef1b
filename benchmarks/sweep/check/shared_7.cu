/*
 * The struct sweep, shared 7: records of 12 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[2];
	int b;
};

/* Tiles of 1 members in shared memory, 256 steps, float. */
__global__ void __launch_bounds__(256) shared_7_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][257];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a[0];
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 256; r++) {
		x += 0.5f * tile[0][r & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 128 steps, float. */
__global__ void __launch_bounds__(128) shared_7_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a[0];
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 128; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 20841472 * sizeof(record));
	cudaMemset(p, 0, 20841472 * sizeof(record));
	float *out;
	cudaMalloc(&out, 20841472 * sizeof(float));
	cudaMemset(out, 0, 20841472 * sizeof(float));
	shared_7_a<<<1084, 256>>>(p, out, 277504);
	shared_7_a<<<19896, 256>>>(p, out, 5093376);
	shared_7_a<<<81412, 256>>>(p, out, 20841472);
	shared_7_b<<<3912, 128>>>(p, out, 500736);
	shared_7_b<<<16240, 128>>>(p, out, 2078720);
	shared_7_b<<<83816, 128>>>(p, out, 10728448);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
