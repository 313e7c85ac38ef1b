/*
 * The struct sweep, strided 2: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Each thread a row of a matrix of records, 2 of the members read, float. */
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
		x += 0.5f * p[j].a;
		x += 0.5f * p[j].b;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a run of 32 records, 1 of the members read, float, 6 times fma. */
__global__ void __launch_bounds__(128) strided_2_b(const record *p, float *out, int n)
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
		x += 1.25f * p[j].a;
		for (int r = 0; r < 6; r++)
			x = x * 0.5f + 0.75f;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 32659456 * sizeof(record));
	cudaMemset(p, 0, 32659456 * sizeof(record));
	float *out;
	cudaMalloc(&out, 32659456 * sizeof(float));
	cudaMemset(out, 0, 32659456 * sizeof(float));
	strided_2_a<<<5, 256>>>(p, out, 1118);
	strided_2_a<<<129, 256>>>(p, out, 32968);
	strided_2_a<<<499, 256>>>(p, out, 127576);
	strided_2_b<<<320, 128>>>(p, out, 40948);
	strided_2_b<<<2654, 128>>>(p, out, 339648);
	strided_2_b<<<4096, 128>>>(p, out, 524288);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
