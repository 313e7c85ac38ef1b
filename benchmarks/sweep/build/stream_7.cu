/*
 * The struct sweep, stream 7: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* Streams records (striding), 2 of the members read, float. */
__global__ void __launch_bounds__(384) stream_7_a(record *p, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].a;
		x += 1.25f * p[i].c;
		p[i].a = (x * 0.5f);
		p[i].b = (x * 0.75f);
	}
}

/* Streams records (guarded), 3 of the members read, float, 6 times fma. */
__global__ void __launch_bounds__(32) stream_7_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a;
	x += 1.25f * p[i].b;
	x += 0.75f * p[i].c;
	for (int r = 0; r < 6; r++)
		x = x * 0.5f + 0.75f;
	q[i].a = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 39545024 * sizeof(record));
	cudaMemset(p, 0, 39545024 * sizeof(record));
	record *q;
	cudaMalloc(&q, 14971904 * sizeof(record));
	cudaMemset(q, 0, 14971904 * sizeof(record));
	stream_7_a<<<264, 384>>>(p, 538624);
	stream_7_a<<<528, 384>>>(p, 6957056);
	stream_7_a<<<1056, 384>>>(p, 39545024);
	stream_7_b<<<11680, 32>>>(p, q, 373760);
	stream_7_b<<<45824, 32>>>(p, q, 1466368);
	stream_7_b<<<467872, 32>>>(p, q, 14971904);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
