/*
 * The struct sweep, shared 0: records of 40 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h[3];
};

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(256) shared_0_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][257];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].e;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 3 members in shared memory, 32 steps, float. */
__global__ void __launch_bounds__(128) shared_0_b(const record *p, float *out, int n)
{
	__shared__ float tile[3][129];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].b;
	tile[2][t] = p[i].c;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 32; r++) {
		x += 0.5f * tile[0][r & 127];
		x += 0.5f * tile[1][r & 127];
		x += 0.5f * tile[2][r & 127];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 5097472 * sizeof(record));
	cudaMemset(p, 0, 5097472 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5097472 * sizeof(float));
	cudaMemset(out, 0, 5097472 * sizeof(float));
	shared_0_a<<<740, 256>>>(p, out, 189440);
	shared_0_a<<<7712, 256>>>(p, out, 1974272);
	shared_0_a<<<17511, 256>>>(p, out, 4482816);
	shared_0_b<<<1448, 128>>>(p, out, 185344);
	shared_0_b<<<6288, 128>>>(p, out, 804864);
	shared_0_b<<<39824, 128>>>(p, out, 5097472);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
