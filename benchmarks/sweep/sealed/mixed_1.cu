/*
 * The struct sweep, mixed 1: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	unsigned char c;
	float d;
};

/* 4 neighbours on a line, 1 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_1_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 2 || i >= n - 2)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[i].a * 5;
	x += 0.125f * p[i - 1].d;
	x += 0.125f * p[i + 1].d;
	x += 0.125f * p[i - 2].d;
	x += 0.125f * p[i + 2].d;
	q[i].d = (x * 0.5f);
}

/* Each thread a row of a matrix of records, 1 of the members read, float. */
__global__ void __launch_bounds__(384) mixed_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 256; r++) {
		int j = i * 256 + r;
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[j].b;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 27705344 * sizeof(record));
	cudaMemset(p, 0, 27705344 * sizeof(record));
	record *q;
	cudaMalloc(&q, 12567552 * sizeof(record));
	cudaMemset(q, 0, 12567552 * sizeof(record));
	float *out;
	cudaMalloc(&out, 27705344 * sizeof(float));
	cudaMemset(out, 0, 27705344 * sizeof(float));
	mixed_1_a<<<876, 256>>>(p, q, 224256);
	mixed_1_a<<<6753, 256>>>(p, q, 1728608);
	mixed_1_a<<<49092, 256>>>(p, q, 12567552);
	mixed_1_b<<<7, 384>>>(p, out, 2316);
	mixed_1_b<<<53, 384>>>(p, out, 20056);
	mixed_1_b<<<282, 384>>>(p, out, 108224);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
