/*
 * The struct sweep, reduction 0: records of 40 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned char a;
	float b;
	float c;
	float d;
	int e;
	double f;
	unsigned char g;
};

/* Block sums of a striding grid, 2 of the members read, float. */
__global__ void __launch_bounds__(128) reduction_0_a(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].d;
		k += p[i].e * 5;
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

/* Block sums, a record per thread, 4 of the members read, double. */
__global__ void __launch_bounds__(128) reduction_0_b(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double x = 0.25;
		int k = 1;
		k += p[i].a * 5;
		x += 1.25 * p[i].c;
		x += 0.5 * p[i].f;
		k += p[i].g * 1;
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
	cudaMalloc(&p, 14317568 * sizeof(record));
	cudaMemset(p, 0, 14317568 * sizeof(record));
	float *out;
	cudaMalloc(&out, 14317568 * sizeof(float));
	cudaMemset(out, 0, 14317568 * sizeof(float));
	reduction_0_a<<<528, 128>>>(p, out, 79872);
	reduction_0_a<<<1056, 128>>>(p, out, 880640);
	reduction_0_a<<<264, 128>>>(p, out, 11165593);
	reduction_0_b<<<1640, 128>>>(p, out, 209920);
	reduction_0_b<<<15492, 128>>>(p, out, 1982888);
	reduction_0_b<<<111856, 128>>>(p, out, 14317568);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
