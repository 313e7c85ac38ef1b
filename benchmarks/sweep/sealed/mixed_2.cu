/*
 * The struct sweep, mixed 2: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	unsigned char d;
};

/* Streams records (guarded), 3 of the members read, float. */
__global__ void __launch_bounds__(384) mixed_2_a(record *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a;
	x += 0.5f * p[i].b;
	x += 0.75f * p[i].c;
	p[i].c = (x * 0.5f);
}

/* Each thread a row of a matrix of records, 3 of the members read, float, 48 accumulators, 24 rounds. */
__global__ void __launch_bounds__(256) mixed_2_b(const record *p, float *out, int n)
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
		x += 0.75f * p[j].b;
		x += 0.75f * p[j].c;
		k += p[j].d * 1;
		float t[48];
#pragma unroll
		for (int s = 0; s < 48; s++)
			t[s] = x + 0.125f * s;
		for (int r = 0; r < 24; r++)
#pragma unroll
			for (int s = 0; s < 48; s++)
				t[s] = t[s] * 0.5f + t[(s + 1) % 48] * 0.25f;
		x = 0.0f;
#pragma unroll
		for (int s = 0; s < 48; s++)
			x += t[s];
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 21185536 * sizeof(record));
	cudaMemset(p, 0, 21185536 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4194304 * sizeof(float));
	cudaMemset(out, 0, 4194304 * sizeof(float));
	mixed_2_a<<<1668, 384>>>(p, 640458);
	mixed_2_a<<<5320, 384>>>(p, 2042880);
	mixed_2_a<<<55171, 384>>>(p, 21185536);
	mixed_2_b<<<8, 256>>>(p, out, 1968);
	mixed_2_b<<<51, 256>>>(p, out, 12936);
	mixed_2_b<<<64, 256>>>(p, out, 16384);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
