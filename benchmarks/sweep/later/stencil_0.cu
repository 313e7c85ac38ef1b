/*
 * The struct sweep, stencil 0: records of 40 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[4];
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
};

/* 4 neighbours on a line, 2 of the members read, float, 32 accumulators, 24 rounds. */
__global__ void __launch_bounds__(1024) stencil_0_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 2 || i >= n - 2)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a[0];
	x += 1.25f * p[i].a[1];
	x += 0.75f * p[i].b;
	x += 0.125f * p[i - 1].c;
	x += 0.125f * p[i + 1].c;
	x += 0.125f * p[i - 2].c;
	x += 0.125f * p[i + 2].c;
	float t[32];
#pragma unroll
	for (int s = 0; s < 32; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 24; r++)
#pragma unroll
		for (int s = 0; s < 32; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 32] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 32; s++)
		x += t[s];
	q[i].d = (x * 0.5f);
	q[i].f = (x * 0.75f);
}

/* Four neighbours in a plane, 1 of the members read, float. */
__global__ void __launch_bounds__(128) stencil_0_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].c;
	x += 0.125f * p[i - 1].a[0];
	x += 0.125f * p[i + 1].a[0];
	x += 0.125f * p[i - n].a[0];
	x += 0.125f * p[i + n].a[0];
	q[i].a[0] = (x * 0.5f);
	q[i].a[1] = (x * 0.5f);
	q[i].a[2] = (x * 0.5f);
	q[i].a[3] = (x * 0.5f);
	q[i].c = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5017600 * sizeof(record));
	cudaMemset(p, 0, 5017600 * sizeof(record));
	record *q;
	cudaMalloc(&q, 5017600 * sizeof(record));
	cudaMemset(q, 0, 5017600 * sizeof(record));
	stencil_0_a<<<130, 1024>>>(p, q, 133120);
	stencil_0_a<<<813, 1024>>>(p, q, 831511);
	stencil_0_a<<<4096, 1024>>>(p, q, 4194304);
	stencil_0_b<<<dim3(13, 97), dim3(32, 4)>>>(p, q, 387);
	stencil_0_b<<<dim3(25, 200), dim3(32, 4)>>>(p, q, 800);
	stencil_0_b<<<dim3(70, 560), dim3(32, 4)>>>(p, q, 2240);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
