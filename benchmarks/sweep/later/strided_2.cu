/*
 * The struct sweep, strided 2: records of 32 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	short b;
	float c;
	double d;
	float e;
	float f;
};

/* Each thread a row of a matrix of records, 1 of the members read, float. */
__global__ void __launch_bounds__(256) strided_2_a(const record *p, float *out, int n)
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
		x += 0.75f * p[j].c;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every 17th record, 6 of the members read, double. */
__global__ void __launch_bounds__(96) strided_2_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double x = 0.25;
	int k = 1;
	x += 0.75 * p[(size_t)i * 17].a;
	k += p[(size_t)i * 17].b * 3;
	x += 1.25 * p[(size_t)i * 17].c;
	x += 0.5 * p[(size_t)i * 17].d;
	x += 0.5 * p[(size_t)i * 17].e;
	x += 0.5 * p[(size_t)i * 17].f;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 12366336 * sizeof(record));
	cudaMemset(p, 0, 12366336 * sizeof(record));
	float *out;
	cudaMalloc(&out, 12366336 * sizeof(float));
	cudaMemset(out, 0, 12366336 * sizeof(float));
	strided_2_a<<<6, 256>>>(p, out, 1496);
	strided_2_a<<<27, 256>>>(p, out, 6700);
	strided_2_a<<<189, 256>>>(p, out, 48306);
	strided_2_b<<<233, 96>>>(p, out, 22287);
	strided_2_b<<<1069, 96>>>(p, out, 102580);
	strided_2_b<<<6079, 96>>>(p, out, 583562);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
