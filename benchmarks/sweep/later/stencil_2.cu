/*
 * The struct sweep, stencil 2: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* 8 neighbours on a line, 1 of the members read, float. */
__global__ void __launch_bounds__(384) stencil_2_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 4 || i >= n - 4)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	x += 0.0625f * p[i - 1].a;
	x += 0.0625f * p[i + 1].a;
	x += 0.0625f * p[i - 2].a;
	x += 0.0625f * p[i + 2].a;
	x += 0.0625f * p[i - 3].a;
	x += 0.0625f * p[i + 3].a;
	x += 0.0625f * p[i - 4].a;
	x += 0.0625f * p[i + 4].a;
	out[i] = (float)(x + k);
}

/* Six neighbours in a box, 1 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_2_b(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	x += 0.0833f * p[i - 1].a;
	x += 0.0833f * p[i + 1].a;
	x += 0.0833f * p[i - n].a;
	x += 0.0833f * p[i + n].a;
	x += 0.0833f * p[i - n * n].a;
	x += 0.0833f * p[i + n * n].a;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	float *out;
	cudaMalloc(&out, 67108864 * sizeof(float));
	cudaMemset(out, 0, 67108864 * sizeof(float));
	stencil_2_a<<<2387, 384>>>(p, out, 916480);
	stencil_2_a<<<46065, 384>>>(p, out, 17688893);
	stencil_2_a<<<174763, 384>>>(p, out, 67108864);
	stencil_2_b<<<dim3(4, 16, 128), dim3(32, 8)>>>(p, out, 128);
	stencil_2_b<<<dim3(8, 32, 256), dim3(32, 8)>>>(p, out, 256);
	stencil_2_b<<<dim3(12, 48, 384), dim3(32, 8)>>>(p, out, 384);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
