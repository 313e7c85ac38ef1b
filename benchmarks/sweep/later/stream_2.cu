/*
 * The struct sweep, stream 2: records of 52 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f[4];
	float g;
	float h[3];
};

/* Streams records (guarded), 8 of the members read, float. */
__global__ void __launch_bounds__(256) stream_2_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 1.25f * p[i].b;
	x += 0.5f * p[i].c;
	x += 0.5f * p[i].d;
	x += 1.25f * p[i].e;
	x += 1.25f * p[i].f[0];
	x += 1.25f * p[i].f[1];
	x += 0.75f * p[i].f[2];
	x += 1.25f * p[i].f[3];
	x += 0.75f * p[i].g;
	x += 0.75f * p[i].h[0];
	x += 1.25f * p[i].h[1];
	x += 0.5f * p[i].h[2];
	out[i] = (float)(x + k);
}

/* Streams records (striding), 2 of the members read, float, 24 times fma. */
__global__ void __launch_bounds__(64) stream_2_b(record *p, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].e;
		x += 0.5f * p[i].f[0];
		x += 1.25f * p[i].f[1];
		x += 0.75f * p[i].f[2];
		x += 0.5f * p[i].f[3];
		for (int r = 0; r < 24; r++)
			x = x * 0.5f + 0.75f;
		p[i].e = (x * 0.5f);
		p[i].h[0] = (x * 0.75f);
		p[i].h[1] = (x * 0.75f);
		p[i].h[2] = (x * 0.75f);
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 13594624 * sizeof(record));
	cudaMemset(p, 0, 13594624 * sizeof(record));
	float *out;
	cudaMalloc(&out, 7575577 * sizeof(float));
	cudaMemset(out, 0, 7575577 * sizeof(float));
	stream_2_a<<<808, 256>>>(p, out, 206848);
	stream_2_a<<<4940, 256>>>(p, out, 1264640);
	stream_2_a<<<29593, 256>>>(p, out, 7575577);
	stream_2_b<<<264, 64>>>(p, 53248);
	stream_2_b<<<528, 64>>>(p, 946176);
	stream_2_b<<<528, 64>>>(p, 13594624);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
