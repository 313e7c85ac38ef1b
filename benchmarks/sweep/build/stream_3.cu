/*
 * The struct sweep, stream 3: records of 52 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b[4];
	float c;
	float d;
	float e;
	unsigned char f;
	float g;
	float h[3];
};

/* Streams records (guarded), 4 of the members read, float. */
__global__ void __launch_bounds__(96) stream_3_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 0.75f * p[i].e;
	x += 0.75f * p[i].g;
	x += 0.5f * p[i].h[0];
	x += 0.75f * p[i].h[1];
	out[i] = (float)(x + k);
}

/* Streams records (guarded), 8 of the members read, float. */
__global__ void __launch_bounds__(256) stream_3_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 1.25f * p[i].b[0];
	x += 0.75f * p[i].b[1];
	x += 1.25f * p[i].c;
	x += 1.25f * p[i].d;
	x += 0.5f * p[i].e;
	k += p[i].f * 3;
	x += 0.75f * p[i].g;
	x += 0.75f * p[i].h[0];
	x += 0.75f * p[i].h[1];
	x += 1.25f * p[i].h[2];
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 13309952 * sizeof(record));
	cudaMemset(p, 0, 13309952 * sizeof(record));
	float *out;
	cudaMalloc(&out, 13309952 * sizeof(float));
	cudaMemset(out, 0, 13309952 * sizeof(float));
	stream_3_a<<<1128, 96>>>(p, out, 108222);
	stream_3_a<<<16683, 96>>>(p, out, 1601536);
	stream_3_a<<<138646, 96>>>(p, out, 13309952);
	stream_3_b<<<532, 256>>>(p, out, 136192);
	stream_3_b<<<5708, 256>>>(p, out, 1461245);
	stream_3_b<<<26048, 256>>>(p, out, 6668288);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
