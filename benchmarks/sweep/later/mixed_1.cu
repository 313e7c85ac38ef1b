/*
 * The struct sweep, mixed 1: records of 48 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	short b;
	float c;
	int d;
	int e;
	float f;
	short g;
	float h;
	float i;
	double j;
};

/* Records gathered from anywhere, 10 of the members read, double, 48 times fma. */
__global__ void __launch_bounds__(128) mixed_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	double x = 0.25;
	int k = 1;
	x += 0.75 * p[j].a;
	k += p[j].b * 3;
	x += 0.5 * p[j].c;
	k += p[j].d * 1;
	k += p[j].e * 5;
	x += 0.75 * p[j].f;
	k += p[j].g * 1;
	x += 1.25 * p[j].h;
	x += 0.75 * p[j].i;
	x += 0.75 * p[j].j;
	for (int r = 0; r < 48; r++)
		x = x * 0.5 + 0.75;
	out[i] = (float)(x + k);
}

/* Records gathered within 1024 neighbours, 8 of the members read, float, 24 times exp. */
__global__ void __launch_bounds__(192) mixed_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a;
	k += p[j].b * 5;
	k += p[j].d * 5;
	k += p[j].e * 3;
	x += 0.75f * p[j].f;
	k += p[j].g * 5;
	x += 0.5f * p[j].h;
	x += 0.5f * (float)p[j].j;
	for (int r = 0; r < 24; r++)
		x = expf(-0.5f * x);
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4194304 * sizeof(float));
	cudaMemset(out, 0, 4194304 * sizeof(float));
	mixed_1_a<<<1024, 128>>>(p, out, 131072);
	mixed_1_a<<<8192, 128>>>(p, out, 1048576);
	mixed_1_a<<<32768, 128>>>(p, out, 4194304);
	mixed_1_b<<<342, 192>>>(p, out, 65536);
	mixed_1_b<<<5462, 192>>>(p, out, 1048576);
	mixed_1_b<<<21846, 192>>>(p, out, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
