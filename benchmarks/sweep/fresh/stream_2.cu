/*
 * The struct sweep, stream 2: records of 80 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[4];
	float b;
	float c[2];
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
	float m;
	float n;
	float o;
	float p;
};

/* Streams records (guarded), 1 of the members read, float. */
__global__ void __launch_bounds__(256) stream_2_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].f;
	out[i] = (float)(x + k);
}

/* Streams records (striding), 8 of the members read, float. */
__global__ void __launch_bounds__(128) stream_2_b(const record *p, record *q, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a[0];
		x += 0.75f * p[i].a[1];
		x += 0.5f * p[i].a[2];
		x += 0.5f * p[i].a[3];
		x += 0.5f * p[i].c[0];
		x += 0.5f * p[i].c[1];
		x += 1.25f * p[i].d;
		x += 0.75f * p[i].g;
		x += 0.5f * p[i].i;
		x += 1.25f * p[i].k;
		x += 0.75f * p[i].l;
		x += 0.5f * p[i].o;
		q[i].l = (x * 0.5f);
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 4869120 * sizeof(record));
	cudaMemset(p, 0, 4869120 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4869120 * sizeof(float));
	cudaMemset(out, 0, 4869120 * sizeof(float));
	record *q;
	cudaMalloc(&q, 3218127 * sizeof(record));
	cudaMemset(q, 0, 3218127 * sizeof(record));
	stream_2_a<<<508, 256>>>(p, out, 130048);
	stream_2_a<<<3556, 256>>>(p, out, 910336);
	stream_2_a<<<19020, 256>>>(p, out, 4869120);
	stream_2_b<<<96, 128>>>(p, q, 12288);
	stream_2_b<<<528, 128>>>(p, q, 517120);
	stream_2_b<<<1056, 128>>>(p, q, 3218127);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
