/*
 * The struct sweep, reduction 2: records of 56 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[2];
	int b;
	float c[4];
	float d;
	float e;
	double f;
	float g;
};

/* Block sums of a striding grid, 7 of the members read, double, 48 times fma. */
__global__ void __launch_bounds__(128) reduction_2_a(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double x = 0.25;
		int k = 1;
		x += 0.5 * p[i].a[0];
		x += 1.25 * p[i].a[1];
		k += p[i].b * 3;
		x += 0.75 * p[i].c[0];
		x += 0.5 * p[i].c[1];
		x += 0.75 * p[i].d;
		x += 0.5 * p[i].e;
		x += 0.5 * p[i].f;
		x += 0.5 * p[i].g;
		for (int r = 0; r < 48; r++)
			x = x * 0.5 + 0.75;
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
__global__ void __launch_bounds__(512) reduction_2_b(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double x = 0.25;
		int k = 1;
		k += p[i].b * 1;
		x += 1.25 * p[i].d;
		x += 0.5 * p[i].e;
		x += 0.75 * p[i].f;
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
	cudaMalloc(&p, 10451909 * sizeof(record));
	cudaMemset(p, 0, 10451909 * sizeof(record));
	float *out;
	cudaMalloc(&out, 10451909 * sizeof(float));
	cudaMemset(out, 0, 10451909 * sizeof(float));
	reduction_2_a<<<264, 128>>>(p, out, 105472);
	reduction_2_a<<<528, 128>>>(p, out, 1427818);
	reduction_2_a<<<528, 128>>>(p, out, 6650342);
	reduction_2_b<<<362, 512>>>(p, out, 185344);
	reduction_2_b<<<2470, 512>>>(p, out, 1264640);
	reduction_2_b<<<20414, 512>>>(p, out, 10451909);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
