/*
 * The struct sweep, stream 3: records of 96 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	short a;
	float b;
	float c;
	double d;
	double e;
	double f;
	float g;
	short h;
	int i;
	float j;
	float k;
	int l;
	double m;
	int n;
	double o;
	double p;
};

/* Streams records (several), 4 of the members read, float. */
__global__ void __launch_bounds__(128) stream_3_a(const record *p, float *out, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 1.25f * (float)p[i].f;
			k += p[i].i * 5;
			x += 0.5f * (float)p[i].o;
			x += 0.5f * (float)p[i].p;
			out[i] = (float)(x + k);
		}
	}
}

/* Streams records (guarded), 4 of the members read, double. */
__global__ void __launch_bounds__(64) stream_3_b(record *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double x = 0.25;
	int k = 1;
	k += p[i].a * 5;
	x += 1.25 * p[i].j;
	k += p[i].n * 1;
	x += 1.25 * p[i].o;
	p[i].a = (short)((k + 0) & 16383);
	p[i].c = (float)(x * 0.75);
	p[i].g = (float)(x * 1.0);
	p[i].j = (float)(x * 1.25);
	p[i].k = (float)(x * 0.5);
	p[i].m = (x * 0.75);
	p[i].o = (x * 1.0);
	p[i].p = (x * 1.25);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4119552 * sizeof(record));
	cudaMemset(p, 0, 4119552 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4119552 * sizeof(float));
	cudaMemset(out, 0, 4119552 * sizeof(float));
	stream_3_a<<<251, 128>>>(p, out, 128406);
	stream_3_a<<<1616, 128>>>(p, out, 827392);
	stream_3_a<<<8046, 128>>>(p, out, 4119552);
	stream_3_b<<<528, 64>>>(p, 33792);
	stream_3_b<<<6031, 64>>>(p, 385944);
	stream_3_b<<<46427, 64>>>(p, 2971268);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
