/*
 * The struct sweep, strided 3: records of 72 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	double c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i[2];
	int j;
	int k[4];
	float l;
};

/* Every 5th record, 3 of the members read, float. */
__global__ void __launch_bounds__(64) strided_3_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[(size_t)i * 5].d;
	x += 1.25f * p[(size_t)i * 5].g;
	x += 0.5f * p[(size_t)i * 5].h;
	out[i] = (float)(x + k);
}

/* Each thread a row of a matrix of records, 3 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(64) strided_3_b(const record *p, float *out, int n)
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
		x += 0.75f * p[j].b;
		x += 0.5f * (float)p[j].c;
		x += 0.75f * p[j].f;
		for (int r = 0; r < 6; r++)
			x = sqrtf(x + 0.5f);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 3761152 * sizeof(record));
	cudaMemset(p, 0, 3761152 * sizeof(record));
	float *out;
	cudaMalloc(&out, 3761152 * sizeof(float));
	cudaMemset(out, 0, 3761152 * sizeof(float));
	strided_3_a<<<167, 64>>>(p, out, 10649);
	strided_3_a<<<3655, 64>>>(p, out, 233881);
	strided_3_a<<<11517, 64>>>(p, out, 737075);
	strided_3_b<<<9, 64>>>(p, out, 528);
	strided_3_b<<<34, 64>>>(p, out, 2135);
	strided_3_b<<<230, 64>>>(p, out, 14692);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
