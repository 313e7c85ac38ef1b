/*
 * The struct sweep, strided 7: records of 48 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	double b;
	float c;
	short d;
	float e[4];
	unsigned char f;
};

/* Each thread a row of a matrix of records, 6 of the members read, double. */
__global__ void __launch_bounds__(32) strided_7_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double sum = 0.25;
	int count = 0;
	for (int r = 0; r < 256; r++) {
		int j = i * 256 + r;
		double x = 0.25;
		int k = 1;
		x += 0.75 * p[j].a;
		x += 0.75 * p[j].b;
		x += 0.75 * p[j].c;
		k += p[j].d * 1;
		x += 0.5 * p[j].e[0];
		x += 0.75 * p[j].e[1];
		k += p[j].f * 5;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every 2th record, 4 of the members read, float. */
__global__ void __launch_bounds__(32) strided_7_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * (float)p[(size_t)i * 2].b;
	k += p[(size_t)i * 2].d * 5;
	x += 0.5f * p[(size_t)i * 2].e[0];
	x += 0.5f * p[(size_t)i * 2].e[1];
	k += p[(size_t)i * 2].f * 3;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 8946688 * sizeof(record));
	cudaMemset(p, 0, 8946688 * sizeof(record));
	float *out;
	cudaMalloc(&out, 8946688 * sizeof(float));
	cudaMemset(out, 0, 8946688 * sizeof(float));
	strided_7_a<<<24, 32>>>(p, out, 751);
	strided_7_a<<<87, 32>>>(p, out, 2776);
	strided_7_a<<<717, 32>>>(p, out, 22931);
	strided_7_b<<<3312, 32>>>(p, out, 105984);
	strided_7_b<<<19664, 32>>>(p, out, 629248);
	strided_7_b<<<139792, 32>>>(p, out, 4473344);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
