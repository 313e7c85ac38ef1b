/*
 * The struct sweep, strided 0: records of 56 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[4];
	float b;
	float c;
	float d;
	float e;
	float f;
	float g[4];
	float h;
};

/* Every 5th record, 2 of the members read, float. */
__global__ void __launch_bounds__(128) strided_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[(size_t)i * 5].e;
	x += 0.75f * p[(size_t)i * 5].h;
	out[i] = (float)(x + k);
}

/* Each thread a run of 4 records, 1 of the members read, float, 6 times divide. */
__global__ void __launch_bounds__(384) strided_0_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 4; r++) {
		int j = i * 4 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[j].d;
		for (int r = 0; r < 6; r++)
			x = 1.5f / (x + 0.5f);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 6628352 * sizeof(record));
	cudaMemset(p, 0, 6628352 * sizeof(record));
	float *out;
	cudaMalloc(&out, 6628352 * sizeof(float));
	cudaMemset(out, 0, 6628352 * sizeof(float));
	strided_0_a<<<225, 128>>>(p, out, 28693);
	strided_0_a<<<2597, 128>>>(p, out, 332390);
	strided_0_a<<<6528, 128>>>(p, out, 835559);
	strided_0_b<<<140, 384>>>(p, out, 53504);
	strided_0_b<<<492, 384>>>(p, out, 188672);
	strided_0_b<<<4316, 384>>>(p, out, 1657088);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
