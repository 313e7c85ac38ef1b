/*
 * The struct sweep, strided 0: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Every 8th record, 1 of the members read, float. */
__global__ void __launch_bounds__(512) strided_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[(size_t)i * 8].b;
	out[i] = (float)(x + k);
}

/* Every 3th record, 2 of the members read, float, 16 accumulators, 24 rounds. */
__global__ void __launch_bounds__(256) strided_0_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[(size_t)i * 3].a;
	x += 1.25f * p[(size_t)i * 3].b;
	float t[16];
#pragma unroll
	for (int s = 0; s < 16; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 24; r++)
#pragma unroll
		for (int s = 0; s < 16; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 16] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 16; s++)
		x += t[s];
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 55162880 * sizeof(record));
	cudaMemset(p, 0, 55162880 * sizeof(record));
	float *out;
	cudaMalloc(&out, 55162880 * sizeof(float));
	cudaMemset(out, 0, 55162880 * sizeof(float));
	strided_0_a<<<84, 512>>>(p, out, 42880);
	strided_0_a<<<2427, 512>>>(p, out, 1242399);
	strided_0_a<<<13468, 512>>>(p, out, 6895360);
	strided_0_b<<<1811, 256>>>(p, out, 463610);
	strided_0_b<<<5462, 256>>>(p, out, 1398101);
	strided_0_b<<<5462, 256>>>(p, out, 1398101);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
