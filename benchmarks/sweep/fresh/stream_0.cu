/*
 * The struct sweep, stream 0: records of 32 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a[2];
	float b;
	int c;
	float d;
	int e;
	short f;
	int g;
};

/* Streams records (striding), 7 of the members read, float. */
__global__ void __launch_bounds__(1024) stream_0_a(record *p, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		k += p[i].a[0] * 3;
		k += p[i].a[1] * 1;
		x += 0.75f * p[i].b;
		k += p[i].c * 3;
		x += 0.5f * p[i].d;
		k += p[i].e * 5;
		k += p[i].f * 3;
		k += p[i].g * 3;
		p[i].c = (int)((k + 0));
		p[i].g = (int)((k + 1));
	}
}

/* Streams records (guarded), 2 of the members read, float, 24 times fma. */
__global__ void __launch_bounds__(64) stream_0_b(record *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].d;
	k += p[i].e * 1;
	for (int r = 0; r < 24; r++)
		x = x * 0.5f + 0.75f;
	p[i].a[0] = (int)((k + 0));
	p[i].a[1] = (int)((k + 0));
	p[i].c = (int)((k + 1));
	p[i].f = (short)((k + 2) & 16383);
	p[i].g = (int)((k + 3));
}

int main()
{
	record *p;
	cudaMalloc(&p, 15503360 * sizeof(record));
	cudaMemset(p, 0, 15503360 * sizeof(record));
	stream_0_a<<<188, 1024>>>(p, 192512);
	stream_0_a<<<528, 1024>>>(p, 2409472);
	stream_0_a<<<528, 1024>>>(p, 15503360);
	stream_0_b<<<3536, 64>>>(p, 226304);
	stream_0_b<<<24912, 64>>>(p, 1594368);
	stream_0_b<<<146977, 64>>>(p, 9406526);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
