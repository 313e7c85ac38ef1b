/*
 * The struct sweep, mixed 4: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Each thread a run of 4 records, 1 of the members read, float, 12 times sqrt. */
__global__ void __launch_bounds__(96) mixed_4_a(const record *p, float *out, int n)
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
		x += 0.75f * p[j].a;
		for (int r = 0; r < 12; r++)
			x = sqrtf(x + 0.5f);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a row of a matrix of records, 1 of the members read, float. */
__global__ void __launch_bounds__(384) mixed_4_b(const record *p, float *out, int n)
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
		x += 1.25f * p[j].a;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	float *out;
	cudaMalloc(&out, 67108864 * sizeof(float));
	cudaMemset(out, 0, 67108864 * sizeof(float));
	mixed_4_a<<<7577, 96>>>(p, out, 727361);
	mixed_4_a<<<27622, 96>>>(p, out, 2651648);
	mixed_4_a<<<43691, 96>>>(p, out, 4194304);
	mixed_4_b<<<16, 384>>>(p, out, 5945);
	mixed_4_b<<<112, 384>>>(p, out, 42984);
	mixed_4_b<<<683, 384>>>(p, out, 262144);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
