/*
 * The struct sweep, stream 4: records of 24 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d[3];
};

/* Streams records (several), 3 of the members read, float, 24 times exp. */
__global__ void __launch_bounds__(128) stream_4_a(const record *p, record *q, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.75f * p[i].a;
			x += 1.25f * p[i].b;
			x += 1.25f * p[i].d[0];
			x += 0.75f * p[i].d[1];
			x += 1.25f * p[i].d[2];
			for (int r = 0; r < 24; r++)
				x = expf(-0.5f * x);
			q[i].a = (x * 0.5f);
			q[i].b = (x * 0.75f);
			q[i].c = (x * 1.0f);
			q[i].d[0] = (x * 1.25f);
			q[i].d[1] = (x * 1.25f);
			q[i].d[2] = (x * 1.25f);
		}
	}
}

/* Streams records (striding), 3 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(128) stream_4_b(const record *p, float *out, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].b;
		x += 0.75f * p[i].c;
		x += 1.25f * p[i].d[0];
		x += 0.5f * p[i].d[1];
		x += 1.25f * p[i].d[2];
		for (int r = 0; r < 6; r++)
			x = sqrtf(x + 0.5f);
		out[i] = (float)(x + k);
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	record *q;
	cudaMalloc(&q, 12985493 * sizeof(record));
	cudaMemset(q, 0, 12985493 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	stream_4_a<<<508, 128>>>(p, q, 260096);
	stream_4_a<<<2858, 128>>>(p, q, 1463296);
	stream_4_a<<<25363, 128>>>(p, q, 12985493);
	stream_4_b<<<528, 128>>>(p, out, 129024);
	stream_4_b<<<1056, 128>>>(p, out, 3234816);
	stream_4_b<<<1056, 128>>>(p, out, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
