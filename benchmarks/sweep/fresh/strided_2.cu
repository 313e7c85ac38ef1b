/*
 * The struct sweep, strided 2: records of 72 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	short b;
	float c;
	double d;
	double e;
	float f;
	float g;
	int h;
	float i;
	float j;
	double k;
	float l;
};

/* Each thread a run of 32 records, 6 of the members read, float. */
__global__ void __launch_bounds__(192) strided_2_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 32; r++) {
		int j = i * 32 + r;
		float x = 0.25f;
		int k = 1;
		k += p[j].b * 5;
		x += 0.5f * p[j].c;
		x += 0.75f * (float)p[j].d;
		x += 0.5f * p[j].f;
		k += p[j].h * 3;
		x += 0.75f * (float)p[j].k;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a row of a matrix of records, 3 of the members read, float. */
__global__ void __launch_bounds__(512) strided_2_b(const record *p, float *out, int n)
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
		x += 1.25f * p[j].i;
		x += 1.25f * (float)p[j].k;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 6498304 * sizeof(record));
	cudaMemset(p, 0, 6498304 * sizeof(record));
	float *out;
	cudaMalloc(&out, 6498304 * sizeof(float));
	cudaMemset(out, 0, 6498304 * sizeof(float));
	strided_2_a<<<9, 192>>>(p, out, 1600);
	strided_2_a<<<128, 192>>>(p, out, 24484);
	strided_2_a<<<1004, 192>>>(p, out, 192640);
	strided_2_b<<<2, 512>>>(p, out, 535);
	strided_2_b<<<10, 512>>>(p, out, 4976);
	strided_2_b<<<50, 512>>>(p, out, 25384);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
