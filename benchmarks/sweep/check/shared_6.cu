/*
 * The struct sweep, shared 6: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
};

/* Tiles of 3 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(128) shared_6_a(const record *p, float *out, int n)
{
	__shared__ float tile[3][128];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].b;
	tile[2][t] = p[i].c;
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

/* Tiles of 2 members in shared memory, 256 steps, float. */
__global__ void __launch_bounds__(256) shared_6_b(const record *p, float *out, int n)
{
	__shared__ float tile[2][257];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].d;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 256; r++) {
		x += 0.5f * tile[0][(t + r) & 255];
		x += 0.5f * tile[1][(t + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 18066432 * sizeof(record));
	cudaMemset(p, 0, 18066432 * sizeof(record));
	float *out;
	cudaMalloc(&out, 18066432 * sizeof(float));
	cudaMemset(out, 0, 18066432 * sizeof(float));
	shared_6_a<<<3457, 128>>>(p, out, 442496);
	shared_6_a<<<29334, 128>>>(p, out, 3754752);
	shared_6_a<<<69232, 128>>>(p, out, 8861696);
	shared_6_b<<<1824, 256>>>(p, out, 466944);
	shared_6_b<<<15360, 256>>>(p, out, 3932160);
	shared_6_b<<<70572, 256>>>(p, out, 18066432);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
