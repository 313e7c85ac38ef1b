/*
 * The struct sweep, stream 1: records of 24 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	unsigned char b;
	float c;
	double d;
};

/* Streams records (striding), 4 of the members read, float. */
__global__ void __launch_bounds__(128) stream_1_a(const record *p, record *q, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a;
		k += p[i].b * 5;
		x += 0.75f * p[i].c;
		x += 0.75f * (float)p[i].d;
		q[i].c = (x * 0.5f);
	}
}

/* Streams records (guarded), 3 of the members read, float, 32 accumulators, 24 rounds. */
__global__ void __launch_bounds__(128) stream_1_b(record *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	x += 0.75f * p[i].c;
	x += 0.75f * (float)p[i].d;
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
	p[i].b = (unsigned char)((k + 0) & 127);
}

int main()
{
	record *p;
	cudaMalloc(&p, 10211328 * sizeof(record));
	cudaMemset(p, 0, 10211328 * sizeof(record));
	record *q;
	cudaMalloc(&q, 10211328 * sizeof(record));
	cudaMemset(q, 0, 10211328 * sizeof(record));
	stream_1_a<<<829, 128>>>(p, q, 106045);
	stream_1_a<<<1056, 128>>>(p, q, 684046);
	stream_1_a<<<1056, 128>>>(p, q, 10211328);
	stream_1_b<<<3344, 128>>>(p, 428032);
	stream_1_b<<<28439, 128>>>(p, 3640118);
	stream_1_b<<<32768, 128>>>(p, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
