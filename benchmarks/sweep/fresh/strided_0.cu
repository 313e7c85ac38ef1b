/*
 * The struct sweep, strided 0: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* Each thread a row of a matrix of records, 2 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(128) strided_0_a(const record *p, float *out, int n)
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
		x += 1.25f * p[j].c;
		for (int r = 0; r < 6; r++)
			x = sqrtf(x + 0.5f);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a row of a matrix of records, 2 of the members read, float. */
__global__ void __launch_bounds__(512) strided_0_b(const record *p, float *out, int n)
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
		x += 0.5f * p[j].b;
		x += 1.25f * p[j].c;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 21452544 * sizeof(record));
	cudaMemset(p, 0, 21452544 * sizeof(record));
	float *out;
	cudaMalloc(&out, 21452544 * sizeof(float));
	cudaMemset(out, 0, 21452544 * sizeof(float));
	strided_0_a<<<27, 128>>>(p, out, 3332);
	strided_0_a<<<172, 128>>>(p, out, 21920);
	strided_0_a<<<512, 128>>>(p, out, 65536);
	strided_0_b<<<8, 512>>>(p, out, 3704);
	strided_0_b<<<47, 512>>>(p, out, 23980);
	strided_0_b<<<164, 512>>>(p, out, 83799);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
