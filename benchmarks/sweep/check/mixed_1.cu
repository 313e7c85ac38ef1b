/*
 * The struct sweep, mixed 1: records of 60 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e[4];
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
};

/* Every 17th record, 3 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[(size_t)i * 17].d;
	x += 0.5f * p[(size_t)i * 17].e[0];
	x += 1.25f * p[(size_t)i * 17].e[1];
	x += 0.75f * p[(size_t)i * 17].e[2];
	x += 0.5f * p[(size_t)i * 17].e[3];
	x += 1.25f * p[(size_t)i * 17].g;
	out[i] = (float)(x + k);
}

/* Block sums of a striding grid, 1 of the members read, float. */
__global__ void __launch_bounds__(128) mixed_1_b(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].g;
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
	cudaMalloc(&p, 10608640 * sizeof(record));
	cudaMemset(p, 0, 10608640 * sizeof(record));
	float *out;
	cudaMalloc(&out, 10608640 * sizeof(float));
	cudaMemset(out, 0, 10608640 * sizeof(float));
	mixed_1_a<<<47, 256>>>(p, out, 11986);
	mixed_1_a<<<222, 256>>>(p, out, 56587);
	mixed_1_a<<<1360, 256>>>(p, out, 348044);
	mixed_1_b<<<528, 128>>>(p, out, 186368);
	mixed_1_b<<<1056, 128>>>(p, out, 1195008);
	mixed_1_b<<<1056, 128>>>(p, out, 10608640);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
