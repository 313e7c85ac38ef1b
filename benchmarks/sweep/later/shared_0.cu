/*
 * The struct sweep, shared 0: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned char a;
	float b;
};

/* Tiles of 1 members in shared memory, 64 steps, float. */
__global__ void __launch_bounds__(64) shared_0_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][64];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 64; r++) {
		x += 0.5f * tile[0][(t + r) & 63];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 1 members in shared memory, 128 steps, float. */
__global__ void __launch_bounds__(128) shared_0_b(const record *p, float *out, int n)
{
	__shared__ float tile[1][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].b;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 128; r++) {
		x += 0.5f * tile[0][r & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 22272000 * sizeof(record));
	cudaMemset(p, 0, 22272000 * sizeof(record));
	float *out;
	cudaMalloc(&out, 22272000 * sizeof(float));
	cudaMemset(out, 0, 22272000 * sizeof(float));
	shared_0_a<<<8288, 64>>>(p, out, 530432);
	shared_0_a<<<43136, 64>>>(p, out, 2760704);
	shared_0_a<<<348000, 64>>>(p, out, 22272000);
	shared_0_b<<<2568, 128>>>(p, out, 328704);
	shared_0_b<<<77352, 128>>>(p, out, 9901056);
	shared_0_b<<<141128, 128>>>(p, out, 18064384);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
