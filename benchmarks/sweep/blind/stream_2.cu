/*
 * The struct sweep, stream 2: records of 24 bytes, 6 members. Written by generate.py.
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
};

/* Streams records (guarded), 4 of the members read, float. */
__global__ void __launch_bounds__(384) stream_2_a(record *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].c;
	x += 0.75f * p[i].d;
	x += 1.25f * p[i].e;
	x += 0.75f * p[i].f;
	p[i].a = (x * 0.5f);
	p[i].b = (x * 0.75f);
	p[i].d = (x * 1.0f);
}

/* Streams records (several), 6 of the members read, float, 48 times sine. */
__global__ void __launch_bounds__(1024) stream_2_b(const record *p, float *out, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.75f * p[i].a;
			x += 0.75f * p[i].b;
			x += 0.5f * p[i].c;
			x += 1.25f * p[i].d;
			x += 1.25f * p[i].e;
			x += 0.75f * p[i].f;
			for (int r = 0; r < 48; r++)
				x = 1.0f + 0.5f * sinf(x);
			out[i] = (float)(x + k);
		}
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 15515648 * sizeof(record));
	cudaMemset(p, 0, 15515648 * sizeof(record));
	float *out;
	cudaMalloc(&out, 12747776 * sizeof(float));
	cudaMemset(out, 0, 12747776 * sizeof(float));
	stream_2_a<<<774, 384>>>(p, 296960);
	stream_2_a<<<9366, 384>>>(p, 3596288);
	stream_2_a<<<40406, 384>>>(p, 15515648);
	stream_2_b<<<72, 1024>>>(p, out, 293888);
	stream_2_b<<<396, 1024>>>(p, out, 1620992);
	stream_2_b<<<3113, 1024>>>(p, out, 12747776);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
