/*
 * The struct sweep, reduction 0: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Block sums, a record per thread, 1 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_0_a(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
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

/* Block sums, a record per thread, 1 of the members read, float. */
__global__ void __launch_bounds__(512) reduction_0_b(const record *p, float *out, int n)
{
	__shared__ float part[512];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a;
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
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	float *out;
	cudaMalloc(&out, 67108864 * sizeof(float));
	cudaMemset(out, 0, 67108864 * sizeof(float));
	reduction_0_a<<<3565, 512>>>(p, out, 1824778);
	reduction_0_a<<<23276, 512>>>(p, out, 11917312);
	reduction_0_a<<<131072, 512>>>(p, out, 67108864);
	reduction_0_b<<<2460, 512>>>(p, out, 1259520);
	reduction_0_b<<<40455, 512>>>(p, out, 20712792);
	reduction_0_b<<<131072, 512>>>(p, out, 67108864);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
