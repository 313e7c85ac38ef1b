/*
 * The struct sweep, strided 3: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	float c;
	int d;
};

/* Each thread a row of a matrix of records, 3 of the members read, float. */
__global__ void __launch_bounds__(192) strided_3_a(const record *p, float *out, int n)
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
		k += p[j].a * 5;
		x += 0.75f * p[j].c;
		k += p[j].d * 3;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a run of 32 records, 1 of the members read, float. */
__global__ void __launch_bounds__(32) strided_3_b(const record *p, float *out, int n)
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
		x += 1.25f * p[j].b;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 29066240 * sizeof(record));
	cudaMemset(p, 0, 29066240 * sizeof(record));
	float *out;
	cudaMalloc(&out, 29066240 * sizeof(float));
	cudaMemset(out, 0, 29066240 * sizeof(float));
	strided_3_a<<<8, 192>>>(p, out, 1440);
	strided_3_a<<<94, 192>>>(p, out, 18046);
	strided_3_a<<<592, 192>>>(p, out, 113540);
	strided_3_b<<<746, 32>>>(p, out, 23872);
	strided_3_b<<<1978, 32>>>(p, out, 63296);
	strided_3_b<<<21704, 32>>>(p, out, 694528);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
