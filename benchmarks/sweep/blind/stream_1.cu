/*
 * The struct sweep, stream 1: records of 40 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
	float c;
	float d;
	unsigned char e;
	float f;
	int g;
	float h;
};

/* Streams records (guarded), 6 of the members read, double, 6 times fma. */
__global__ void __launch_bounds__(1024) stream_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double x = 0.25;
	int k = 1;
	x += 0.5 * p[i].a;
	x += 0.75 * p[i].c;
	x += 1.25 * p[i].d;
	k += p[i].e * 3;
	x += 0.5 * p[i].f;
	k += p[i].g * 3;
	for (int r = 0; r < 6; r++)
		x = x * 0.5 + 0.75;
	out[i] = (float)(x + k);
}

/* Streams records (guarded), 2 of the members read, float, 48 times sine. */
__global__ void __launch_bounds__(128) stream_1_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[i].g * 3;
	x += 0.5f * p[i].h;
	for (int r = 0; r < 48; r++)
		x = 1.0f + 0.5f * sinf(x);
	q[i].e = (unsigned char)((k + 0) & 127);
}

int main()
{
	record *p;
	cudaMalloc(&p, 11176960 * sizeof(record));
	cudaMemset(p, 0, 11176960 * sizeof(record));
	float *out;
	cudaMalloc(&out, 11176960 * sizeof(float));
	cudaMemset(out, 0, 11176960 * sizeof(float));
	record *q;
	cudaMalloc(&q, 4306944 * sizeof(record));
	cudaMemset(q, 0, 4306944 * sizeof(record));
	stream_1_a<<<233, 1024>>>(p, out, 238592);
	stream_1_a<<<1509, 1024>>>(p, out, 1545216);
	stream_1_a<<<10915, 1024>>>(p, out, 11176960);
	stream_1_b<<<1208, 128>>>(p, q, 154624);
	stream_1_b<<<4168, 128>>>(p, q, 533504);
	stream_1_b<<<33648, 128>>>(p, q, 4306944);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
