/*
 * The struct sweep, stream 1: records of 32 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
};

/* Streams records (striding), 8 of the members read, float. */
__global__ void __launch_bounds__(64) stream_1_a(const record *p, record *q, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a;
		x += 1.25f * p[i].b;
		x += 0.75f * p[i].c;
		x += 0.75f * p[i].d;
		x += 0.5f * p[i].e;
		x += 0.5f * p[i].f;
		x += 1.25f * p[i].g;
		x += 0.75f * p[i].h;
		q[i].e = (x * 0.5f);
		q[i].h = (x * 0.75f);
	}
}

/* Streams records (guarded), 4 of the members read, float. */
__global__ void __launch_bounds__(32) stream_1_b(record *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].b;
	x += 1.25f * p[i].e;
	x += 1.25f * p[i].f;
	x += 1.25f * p[i].h;
	p[i].b = (x * 0.5f);
	p[i].d = (x * 0.75f);
	p[i].e = (x * 1.0f);
	p[i].g = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 17333248 * sizeof(record));
	cudaMemset(p, 0, 17333248 * sizeof(record));
	record *q;
	cudaMalloc(&q, 11330560 * sizeof(record));
	cudaMemset(q, 0, 11330560 * sizeof(record));
	stream_1_a<<<264, 64>>>(p, q, 126082);
	stream_1_a<<<264, 64>>>(p, q, 1415091);
	stream_1_a<<<264, 64>>>(p, q, 11330560);
	stream_1_b<<<8896, 32>>>(p, 284672);
	stream_1_b<<<54112, 32>>>(p, 1731584);
	stream_1_b<<<541664, 32>>>(p, 17333248);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
