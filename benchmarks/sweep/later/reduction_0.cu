/*
 * The struct sweep, reduction 0: records of 80 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b;
	double c;
	int d;
	float e;
	unsigned char f;
	float g[3];
	unsigned char h;
	float i;
	float j;
	float k;
	float l;
	int m;
	float n;
	int o;
	float p;
};

/* A sum by shuffles and atomic additions, 16 of the members read, float, 6 times fma. */
__global__ void __launch_bounds__(256) reduction_0_a(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		k += p[i].b * 3;
		x += 0.75f * (float)p[i].c;
		k += p[i].d * 1;
		x += 0.75f * p[i].e;
		k += p[i].f * 3;
		x += 0.5f * p[i].g[0];
		x += 0.5f * p[i].g[1];
		k += p[i].h * 1;
		x += 0.75f * p[i].i;
		x += 1.25f * p[i].j;
		x += 0.5f * p[i].k;
		x += 1.25f * p[i].l;
		k += p[i].m * 5;
		x += 0.5f * p[i].n;
		k += p[i].o * 1;
		x += 1.25f * p[i].p;
		for (int r = 0; r < 6; r++)
			x = x * 0.5f + 0.75f;
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

/* Block sums, a record per thread, 4 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_0_b(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].j;
		x += 0.75f * p[i].k;
		k += p[i].m * 3;
		x += 1.25f * p[i].p;
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

int main()
{
	record *p;
	cudaMalloc(&p, 5992448 * sizeof(record));
	cudaMemset(p, 0, 5992448 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5992448 * sizeof(float));
	cudaMemset(out, 0, 5992448 * sizeof(float));
	reduction_0_a<<<340, 256>>>(p, out, 87040);
	reduction_0_a<<<264, 256>>>(p, out, 602112);
	reduction_0_a<<<1056, 256>>>(p, out, 5990257);
	reduction_0_b<<<82, 512>>>(p, out, 41984);
	reduction_0_b<<<1734, 512>>>(p, out, 887808);
	reduction_0_b<<<11704, 512>>>(p, out, 5992448);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
