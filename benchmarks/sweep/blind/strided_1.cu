/*
 * The struct sweep, strided 1: records of 16 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	double c;
};

/* Every 8th record, 1 of the members read, float. */
__global__ void __launch_bounds__(128) strided_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * (float)p[(size_t)i * 8].c;
	out[i] = (float)(x + k);
}

/* Each thread a run of 4 records, 3 of the members read, float. */
__global__ void __launch_bounds__(512) strided_1_b(const record *p, float *out, int n)
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
		x += 1.25f * p[j].a;
		x += 1.25f * p[j].b;
		x += 1.25f * (float)p[j].c;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 25354240 * sizeof(record));
	cudaMemset(p, 0, 25354240 * sizeof(record));
	float *out;
	cudaMalloc(&out, 25354240 * sizeof(float));
	cudaMemset(out, 0, 25354240 * sizeof(float));
	strided_1_a<<<259, 128>>>(p, out, 33152);
	strided_1_a<<<2770, 128>>>(p, out, 354560);
	strided_1_a<<<20579, 128>>>(p, out, 2634112);
	strided_1_b<<<172, 512>>>(p, out, 87808);
	strided_1_b<<<1076, 512>>>(p, out, 550656);
	strided_1_b<<<12380, 512>>>(p, out, 6338560);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
