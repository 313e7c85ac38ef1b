/*
 * The struct sweep, shared 3: records of 112 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	double c;
	int d[2];
	int e[3];
	float f[2];
	double g;
	int h;
	unsigned char i;
	float j;
	float k;
	float l[3];
	float m;
	float n;
	unsigned char o;
	float p[4];
};

/* Tiles of 1 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(256) shared_3_a(const record *p, float *out, int n)
{
	__shared__ float tile[1][256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].l[0];
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

/* Tiles of 3 members in shared memory, 8 steps, float. */
__global__ void __launch_bounds__(256) shared_3_b(const record *p, float *out, int n)
{
	__shared__ float tile[3][256];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int t = threadIdx.x;
	tile[0][t] = p[i].a;
	tile[1][t] = p[i].b;
	tile[2][t] = (float)p[i].c;
	__syncthreads();
	float x = 0.0f;
	for (int r = 0; r < 8; r++) {
		x += 0.5f * tile[0][(t * 2 + r) & 255];
		x += 0.5f * tile[1][(t * 2 + r) & 255];
		x += 0.5f * tile[2][(t * 2 + r) & 255];
	}
	if (i < n)
		out[i] = (float)x;
}

int main()
{
	record *p;
	cudaMalloc(&p, 2050048 * sizeof(record));
	cudaMemset(p, 0, 2050048 * sizeof(record));
	float *out;
	cudaMalloc(&out, 2050048 * sizeof(float));
	cudaMemset(out, 0, 2050048 * sizeof(float));
	shared_3_a<<<112, 256>>>(p, out, 28672);
	shared_3_a<<<1188, 256>>>(p, out, 304128);
	shared_3_a<<<8008, 256>>>(p, out, 2050048);
	shared_3_b<<<212, 256>>>(p, out, 54272);
	shared_3_b<<<1956, 256>>>(p, out, 500736);
	shared_3_b<<<6277, 256>>>(p, out, 1606912);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
