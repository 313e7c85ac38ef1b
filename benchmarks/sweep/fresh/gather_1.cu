/*
 * The struct sweep, gather 1: records of 48 bytes, 12 members. Written by generate.py.
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
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
};

/* Records gathered from anywhere, 1 of the members read, float. */
__global__ void __launch_bounds__(256) gather_1_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].c;
	q[i].g = (x * 0.5f);
}

/* Records gathered from anywhere, 6 of the members read, float, 24 times fma. */
__global__ void __launch_bounds__(128) gather_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	x += 1.25f * p[j].b;
	x += 0.75f * p[j].f;
	x += 0.75f * p[j].h;
	x += 1.25f * p[j].i;
	x += 0.75f * p[j].j;
	for (int r = 0; r < 24; r++)
		x = x * 0.5f + 0.75f;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	record *q;
	cudaMalloc(&q, 4194304 * sizeof(record));
	cudaMemset(q, 0, 4194304 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4194304 * sizeof(float));
	cudaMemset(out, 0, 4194304 * sizeof(float));
	gather_1_a<<<256, 256>>>(p, q, 65536);
	gather_1_a<<<2048, 256>>>(p, q, 524288);
	gather_1_a<<<16384, 256>>>(p, q, 4194304);
	gather_1_b<<<512, 128>>>(p, out, 65536);
	gather_1_b<<<4096, 128>>>(p, out, 524288);
	gather_1_b<<<32768, 128>>>(p, out, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
