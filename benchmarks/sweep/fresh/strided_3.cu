/*
 * The struct sweep, strided 3: records of 24 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c[4];
};

/* Each thread a run of 32 records, 1 of the members read, float. */
__global__ void __launch_bounds__(256) strided_3_a(const record *p, float *out, int n)
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
		x += 0.5f * p[j].b;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a row of a matrix of records, 2 of the members read, float. */
__global__ void __launch_bounds__(512) strided_3_b(const record *p, float *out, int n)
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
		x += 0.5f * p[j].a;
		x += 0.5f * p[j].c[0];
		x += 0.75f * p[j].c[1];
		x += 1.25f * p[j].c[2];
		x += 0.5f * p[j].c[3];
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16942592 * sizeof(record));
	cudaMemset(p, 0, 16942592 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16942592 * sizeof(float));
	cudaMemset(out, 0, 16942592 * sizeof(float));
	strided_3_a<<<33, 256>>>(p, out, 8448);
	strided_3_a<<<355, 256>>>(p, out, 90702);
	strided_3_a<<<1460, 256>>>(p, out, 373696);
	strided_3_b<<<3, 512>>>(p, out, 1168);
	strided_3_b<<<30, 512>>>(p, out, 15332);
	strided_3_b<<<130, 512>>>(p, out, 66182);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
