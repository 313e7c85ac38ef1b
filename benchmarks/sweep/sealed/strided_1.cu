/*
 * The struct sweep, strided 1: records of 52 bytes, 12 members. Written by generate.py.
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
	float h[2];
	float i;
	float j;
	float k;
	float l;
};

/* Each thread a row of a matrix of records, 12 of the members read, float, 24 times fma. */
__global__ void __launch_bounds__(64) strided_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 256; r++) {
		int j = i * 256 + r;
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[j].a;
		x += 1.25f * p[j].b;
		x += 0.75f * p[j].c;
		x += 0.5f * p[j].d;
		x += 0.5f * p[j].e;
		x += 0.5f * p[j].f;
		x += 0.75f * p[j].g;
		x += 0.75f * p[j].h[0];
		x += 0.75f * p[j].h[1];
		x += 0.5f * p[j].i;
		x += 1.25f * p[j].j;
		x += 1.25f * p[j].k;
		x += 0.5f * p[j].l;
		for (int r = 0; r < 24; r++)
			x = x * 0.5f + 0.75f;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every 2th record, 1 of the members read, float. */
__global__ void __launch_bounds__(256) strided_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[(size_t)i * 2].i;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 8871936 * sizeof(record));
	cudaMemset(p, 0, 8871936 * sizeof(record));
	float *out;
	cudaMalloc(&out, 8871936 * sizeof(float));
	cudaMemset(out, 0, 8871936 * sizeof(float));
	strided_1_a<<<15, 64>>>(p, out, 928);
	strided_1_a<<<99, 64>>>(p, out, 6304);
	strided_1_a<<<542, 64>>>(p, out, 34656);
	strided_1_b<<<124, 256>>>(p, out, 31744);
	strided_1_b<<<1260, 256>>>(p, out, 322560);
	strided_1_b<<<14940, 256>>>(p, out, 3824640);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
