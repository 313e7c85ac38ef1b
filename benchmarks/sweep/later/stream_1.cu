/*
 * The struct sweep, stream 1: records of 12 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[2];
	float b;
};

/* Streams records (guarded), 1 of the members read, float, 6 times fma. */
__global__ void __launch_bounds__(256) stream_1_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a[0];
	x += 1.25f * p[i].a[1];
	for (int r = 0; r < 6; r++)
		x = x * 0.5f + 0.75f;
	q[i].b = (x * 0.5f);
}

/* Streams records (several), 2 of the members read, float. */
__global__ void __launch_bounds__(384) stream_1_b(record *p, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.75f * p[i].a[0];
			x += 0.5f * p[i].a[1];
			x += 0.75f * p[i].b;
			p[i].a[0] = (x * 0.5f);
			p[i].a[1] = (x * 0.5f);
			p[i].b = (x * 0.75f);
		}
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 44859392 * sizeof(record));
	cudaMemset(p, 0, 44859392 * sizeof(record));
	record *q;
	cudaMalloc(&q, 13193216 * sizeof(record));
	cudaMemset(q, 0, 13193216 * sizeof(record));
	stream_1_a<<<1360, 256>>>(p, q, 348160);
	stream_1_a<<<7956, 256>>>(p, q, 2036736);
	stream_1_a<<<51536, 256>>>(p, q, 13193216);
	stream_1_b<<<409, 384>>>(p, 626976);
	stream_1_b<<<5061, 384>>>(p, 7773184);
	stream_1_b<<<29206, 384>>>(p, 44859392);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
