/*
 * The struct sweep, strided 2: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* Every 5th record, 3 of the members read, float, 6 times divide. */
__global__ void __launch_bounds__(384) strided_2_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[(size_t)i * 5].a;
	x += 1.25f * p[(size_t)i * 5].b;
	x += 0.75f * p[(size_t)i * 5].c;
	for (int r = 0; r < 6; r++)
		x = 1.5f / (x + 0.5f);
	out[i] = (float)(x + k);
}

/* Each thread a row of a matrix of records, 1 of the members read, float, 12 times sqrt. */
__global__ void __launch_bounds__(256) strided_2_b(const record *p, float *out, int n)
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
		x += 0.5f * p[j].c;
		for (int r = 0; r < 12; r++)
			x = sqrtf(x + 0.5f);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	strided_2_a<<<286, 384>>>(p, out, 109568);
	strided_2_a<<<2198, 384>>>(p, out, 843980);
	strided_2_a<<<8739, 384>>>(p, out, 3355443);
	strided_2_b<<<7, 256>>>(p, out, 1616);
	strided_2_b<<<51, 256>>>(p, out, 12860);
	strided_2_b<<<256, 256>>>(p, out, 65536);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
