/*
 * The struct sweep, mixed 0: records of 16 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	short b;
	float c;
	int d;
};

/* Records gathered from anywhere, 4 of the members read, float. */
__global__ void __launch_bounds__(192) mixed_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a;
	k += p[j].b * 1;
	x += 0.5f * p[j].c;
	k += p[j].d * 1;
	out[i] = (float)(x + k);
}

/* Each thread a run of 32 records, 4 of the members read, float, 12 times fma. */
__global__ void __launch_bounds__(512) mixed_0_b(const record *p, float *out, int n)
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
		x += 0.5f * p[j].a;
		k += p[j].b * 5;
		x += 0.75f * p[j].c;
		k += p[j].d * 5;
		for (int r = 0; r < 12; r++)
			x = x * 0.5f + 0.75f;
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
	mixed_0_a<<<1366, 192>>>(p, out, 262144);
	mixed_0_a<<<21846, 192>>>(p, out, 4194304);
	mixed_0_a<<<87382, 192>>>(p, out, 16777216);
	mixed_0_b<<<10, 512>>>(p, out, 4896);
	mixed_0_b<<<254, 512>>>(p, out, 129952);
	mixed_0_b<<<1024, 512>>>(p, out, 524288);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
