/*
 * The struct sweep, stream 1: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
};

/* Streams records (several), 4 of the members read, float, 16 accumulators, 24 rounds. */
__global__ void __launch_bounds__(128) stream_1_a(const record *p, record *q, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 1.25f * p[i].a;
			x += 0.75f * p[i].b;
			x += 0.75f * p[i].c;
			x += 1.25f * p[i].d;
			float t[16];
#pragma unroll
			for (int s = 0; s < 16; s++)
				t[s] = x + 0.125f * s;
			for (int r = 0; r < 24; r++)
#pragma unroll
				for (int s = 0; s < 16; s++)
					t[s] = t[s] * 0.5f + t[(s + 1) % 16] * 0.25f;
			x = 0.0f;
#pragma unroll
			for (int s = 0; s < 16; s++)
				x += t[s];
			q[i].a = (x * 0.5f);
			q[i].d = (x * 0.75f);
		}
	}
}

/* Streams records (guarded), 1 of the members read, float, 32 accumulators, 24 rounds. */
__global__ void __launch_bounds__(512) stream_1_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].c;
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
	q[i].a = (x * 0.5f);
	q[i].b = (x * 0.75f);
	q[i].c = (x * 1.0f);
	q[i].d = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	record *q;
	cudaMalloc(&q, 4194304 * sizeof(record));
	cudaMemset(q, 0, 4194304 * sizeof(record));
	stream_1_a<<<520, 128>>>(p, q, 265780);
	stream_1_a<<<5720, 128>>>(p, q, 2928230);
	stream_1_a<<<8192, 128>>>(p, q, 4194304);
	stream_1_b<<<402, 512>>>(p, q, 205824);
	stream_1_b<<<2706, 512>>>(p, q, 1385472);
	stream_1_b<<<8192, 512>>>(p, q, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
