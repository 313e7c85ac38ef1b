/*
 * The struct sweep, stencil 2: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	int c;
	float d;
};

/* Six neighbours in a box, 2 of the members read, float, 32 accumulators, 6 rounds. */
__global__ void __launch_bounds__(256) stencil_2_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].b;
	x += 0.75f * p[i].d;
	x += 0.0833f * p[i - 1].a;
	x += 0.0833f * p[i + 1].a;
	x += 0.0833f * p[i - n].a;
	x += 0.0833f * p[i + n].a;
	x += 0.0833f * p[i - n * n].a;
	x += 0.0833f * p[i + n * n].a;
	float t[32];
#pragma unroll
	for (int s = 0; s < 32; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 6; r++)
#pragma unroll
		for (int s = 0; s < 32; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 32] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 32; s++)
		x += t[s];
	q[i].b = (x * 0.5f);
}

/* 8 neighbours on a line, 1 of the members read, float. */
__global__ void __launch_bounds__(128) stencil_2_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 4 || i >= n - 4)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 0.0625f * p[i - 1].b;
	x += 0.0625f * p[i + 1].b;
	x += 0.0625f * p[i - 2].b;
	x += 0.0625f * p[i + 2].b;
	x += 0.0625f * p[i - 3].b;
	x += 0.0625f * p[i + 3].b;
	x += 0.0625f * p[i - 4].b;
	x += 0.0625f * p[i + 4].b;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 18977792 * sizeof(record));
	cudaMemset(p, 0, 18977792 * sizeof(record));
	record *q;
	cudaMalloc(&q, 4173281 * sizeof(record));
	cudaMemset(q, 0, 4173281 * sizeof(record));
	float *out;
	cudaMalloc(&out, 18977792 * sizeof(float));
	cudaMemset(out, 0, 18977792 * sizeof(float));
	stencil_2_a<<<dim3(1, 4, 32), dim3(32, 8)>>>(p, q, 32);
	stencil_2_a<<<dim3(4, 16, 128), dim3(32, 8)>>>(p, q, 128);
	stencil_2_a<<<dim3(6, 21, 161), dim3(32, 8)>>>(p, q, 161);
	stencil_2_b<<<3144, 128>>>(p, out, 402432);
	stencil_2_b<<<18216, 128>>>(p, out, 2331648);
	stencil_2_b<<<148264, 128>>>(p, out, 18977792);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
