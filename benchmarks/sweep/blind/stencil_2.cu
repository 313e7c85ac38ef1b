/*
 * The struct sweep, stencil 2: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	float c;
	float d;
};

/* Four neighbours in a plane, 1 of the members read, float, 12 times divide. */
__global__ void __launch_bounds__(256) stencil_2_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	k += p[i].a * 3;
	x += 0.125f * p[i - 1].c;
	x += 0.125f * p[i + 1].c;
	x += 0.125f * p[i - n].c;
	x += 0.125f * p[i + n].c;
	for (int r = 0; r < 12; r++)
		x = 1.5f / (x + 0.5f);
	q[i].a = (int)((k + 0));
	q[i].c = (x * 0.75f);
}

/* 4 neighbours on a line, 4 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_2_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 2 || i >= n - 2)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[i].a * 5;
	x += 0.5f * p[i].b;
	x += 0.5f * p[i].c;
	x += 1.25f * p[i].d;
	x += 0.125f * p[i - 1].d;
	x += 0.125f * p[i + 1].d;
	x += 0.125f * p[i - 2].d;
	x += 0.125f * p[i + 2].d;
	q[i].a = (int)((k + 0));
	q[i].c = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 17027072 * sizeof(record));
	cudaMemset(p, 0, 17027072 * sizeof(record));
	record *q;
	cudaMalloc(&q, 17027072 * sizeof(record));
	cudaMemset(q, 0, 17027072 * sizeof(record));
	stencil_2_a<<<dim3(17, 66), dim3(32, 8)>>>(p, q, 525);
	stencil_2_a<<<dim3(38, 151), dim3(32, 8)>>>(p, q, 1207);
	stencil_2_a<<<dim3(128, 512), dim3(32, 8)>>>(p, q, 4096);
	stencil_2_b<<<1300, 256>>>(p, q, 332800);
	stencil_2_b<<<4244, 256>>>(p, q, 1086464);
	stencil_2_b<<<66512, 256>>>(p, q, 17027072);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
