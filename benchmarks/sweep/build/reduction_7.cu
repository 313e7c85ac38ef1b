/*
 * The struct sweep, reduction 7: records of 40 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	double b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
};

/* Block sums of a striding grid, 8 of the members read, double. */
__global__ void __launch_bounds__(256) reduction_7_a(const record *p, float *out, int n)
{
	__shared__ float part[256];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double x = 0.25;
		int k = 1;
		x += 0.75 * p[i].a;
		x += 0.75 * p[i].b;
		x += 0.75 * p[i].c;
		x += 1.25 * p[i].d;
		x += 0.75 * p[i].e;
		x += 0.75 * p[i].f;
		x += 0.75 * p[i].g;
		x += 0.5 * p[i].h;
		sum += (float)(x + k);
	}
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int s = 128; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

/* Block sums, a record per thread, 8 of the members read, float. */
__global__ void __launch_bounds__(128) reduction_7_b(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * (float)p[i].a;
		x += 0.75f * (float)p[i].b;
		x += 1.25f * p[i].c;
		x += 0.75f * p[i].d;
		x += 1.25f * p[i].e;
		x += 0.5f * p[i].f;
		x += 1.25f * p[i].g;
		x += 1.25f * p[i].h;
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
	cudaMalloc(&p, 14941184 * sizeof(record));
	cudaMemset(p, 0, 14941184 * sizeof(record));
	float *out;
	cudaMalloc(&out, 14941184 * sizeof(float));
	cudaMemset(out, 0, 14941184 * sizeof(float));
	reduction_7_a<<<1056, 256>>>(p, out, 287744);
	reduction_7_a<<<1056, 256>>>(p, out, 822836);
	reduction_7_a<<<264, 256>>>(p, out, 13430784);
	reduction_7_b<<<1548, 128>>>(p, out, 198072);
	reduction_7_b<<<6685, 128>>>(p, out, 855612);
	reduction_7_b<<<116728, 128>>>(p, out, 14941184);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
