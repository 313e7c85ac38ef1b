/*
 * The struct sweep, mixed 1: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* Each thread a row of a matrix of records, 3 of the members read, float. */
__global__ void __launch_bounds__(384) mixed_1_a(const record *p, float *out, int n)
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
		x += 1.25f * p[j].a;
		x += 0.5f * p[j].b;
		x += 0.75f * p[j].c;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Records gathered by a list, 1 of the members read, float, 32 accumulators, 48 rounds. */
__global__ void __launch_bounds__(256) mixed_1_b(const record *p, record *q, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].c;
	float t[32];
#pragma unroll
	for (int s = 0; s < 32; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 48; r++)
#pragma unroll
		for (int s = 0; s < 32; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 32] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 32; s++)
		x += t[s];
	q[i].a = (x * 0.5f);
	q[i].c = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 22666240 * sizeof(record));
	cudaMemset(p, 0, 22666240 * sizeof(record));
	float *out;
	cudaMalloc(&out, 22666240 * sizeof(float));
	cudaMemset(out, 0, 22666240 * sizeof(float));
	record *q;
	cudaMalloc(&q, 4194304 * sizeof(record));
	cudaMemset(q, 0, 4194304 * sizeof(record));
	int *place;
	cudaMalloc(&place, 4194304 * sizeof(int));
	cudaMemset(place, 0, 4194304 * sizeof(int));
	mixed_1_a<<<9, 384>>>(p, out, 3296);
	mixed_1_a<<<33, 384>>>(p, out, 12628);
	mixed_1_a<<<231, 384>>>(p, out, 88540);
	mixed_1_b<<<2000, 256>>>(p, q, place, 512000);
	mixed_1_b<<<9076, 256>>>(p, q, place, 2323456);
	mixed_1_b<<<16384, 256>>>(p, q, place, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
