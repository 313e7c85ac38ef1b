/*
 * The struct sweep, stream 0: records of 16 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[3];
	float b;
};

/* Streams records (striding), 1 of the members read, float. */
__global__ void __launch_bounds__(64) stream_0_a(const record *p, record *q, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a[0];
		x += 1.25f * p[i].a[1];
		q[i].b = (x * 0.5f);
	}
}

/* Streams records (guarded), 1 of the members read, float. */
__global__ void __launch_bounds__(96) stream_0_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a[0];
	x += 1.25f * p[i].a[1];
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 30505984 * sizeof(record));
	cudaMemset(p, 0, 30505984 * sizeof(record));
	record *q;
	cudaMalloc(&q, 20829184 * sizeof(record));
	cudaMemset(q, 0, 20829184 * sizeof(record));
	float *out;
	cudaMalloc(&out, 30505984 * sizeof(float));
	cudaMemset(out, 0, 30505984 * sizeof(float));
	stream_0_a<<<1056, 64>>>(p, q, 344799);
	stream_0_a<<<264, 64>>>(p, q, 2122752);
	stream_0_a<<<528, 64>>>(p, q, 20829184);
	stream_0_b<<<7478, 96>>>(p, out, 717824);
	stream_0_b<<<37142, 96>>>(p, out, 3565568);
	stream_0_b<<<317771, 96>>>(p, out, 30505984);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
