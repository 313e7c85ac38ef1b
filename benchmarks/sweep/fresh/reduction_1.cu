/*
 * The struct sweep, reduction 1: records of 68 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e[2];
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
	float m;
	float n;
	float o;
	float p;
};

/* Block sums, a record per thread, 4 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_1_a(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].g;
		x += 1.25f * p[i].i;
		x += 0.75f * p[i].j;
		x += 0.5f * p[i].p;
		sum += (float)(x + k);
	}
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int s = 256; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

/* Block sums, a record per thread, 16 of the members read, float. */
__global__ void __launch_bounds__(128) reduction_1_b(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		x += 1.25f * p[i].b;
		x += 0.5f * p[i].c;
		x += 0.75f * p[i].d;
		x += 0.75f * p[i].e[0];
		x += 0.5f * p[i].e[1];
		x += 1.25f * p[i].f;
		x += 1.25f * p[i].g;
		x += 0.75f * p[i].h;
		x += 1.25f * p[i].i;
		x += 0.75f * p[i].j;
		x += 0.5f * p[i].k;
		x += 1.25f * p[i].l;
		x += 1.25f * p[i].m;
		x += 0.75f * p[i].n;
		x += 1.25f * p[i].o;
		x += 1.25f * p[i].p;
		sum += (float)(x + k);
	}
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int s = 64; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

int main()
{
	record *p;
	cudaMalloc(&p, 9612923 * sizeof(record));
	cudaMemset(p, 0, 9612923 * sizeof(record));
	float *out;
	cudaMalloc(&out, 9612923 * sizeof(float));
	cudaMemset(out, 0, 9612923 * sizeof(float));
	reduction_1_a<<<266, 512>>>(p, out, 135890);
	reduction_1_a<<<1626, 512>>>(p, out, 832512);
	reduction_1_a<<<18776, 512>>>(p, out, 9612923);
	reduction_1_b<<<836, 128>>>(p, out, 106920);
	reduction_1_b<<<9514, 128>>>(p, out, 1217770);
	reduction_1_b<<<51304, 128>>>(p, out, 6566912);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
