/*
 * The struct sweep, stream 2: records of 48 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	double b;
	unsigned char c;
	float d;
	float e;
	float f;
	unsigned char g;
	int h;
	short i;
	float j;
};

/* Streams records (several), 8 of the members read, double. */
__global__ void __launch_bounds__(64) stream_2_a(record *p, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			double x = 0.25;
			int k = 1;
			k += p[i].a * 3;
			x += 1.25 * p[i].b;
			k += p[i].c * 5;
			x += 1.25 * p[i].e;
			k += p[i].g * 5;
			k += p[i].h * 1;
			k += p[i].i * 5;
			x += 1.25 * p[i].j;
			p[i].a = (int)((k + 0));
			p[i].e = (float)(x * 0.75);
		}
	}
}

/* Streams records (guarded), 8 of the members read, float, 12 times fma. */
__global__ void __launch_bounds__(128) stream_2_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[i].a * 1;
	x += 0.75f * (float)p[i].b;
	k += p[i].c * 1;
	x += 1.25f * p[i].e;
	x += 1.25f * p[i].f;
	k += p[i].h * 3;
	k += p[i].i * 3;
	x += 0.5f * p[i].j;
	for (int r = 0; r < 12; r++)
		x = x * 0.5f + 0.75f;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 12044288 * sizeof(record));
	cudaMemset(p, 0, 12044288 * sizeof(record));
	float *out;
	cudaMalloc(&out, 12044288 * sizeof(float));
	cudaMemset(out, 0, 12044288 * sizeof(float));
	stream_2_a<<<740, 64>>>(p, 189440);
	stream_2_a<<<6208, 64>>>(p, 1589248);
	stream_2_a<<<28123, 64>>>(p, 7199253);
	stream_2_b<<<1328, 128>>>(p, out, 169946);
	stream_2_b<<<11872, 128>>>(p, out, 1519616);
	stream_2_b<<<94096, 128>>>(p, out, 12044288);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
