/*
 * The struct sweep, strided 1: records of 20 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b[3];
	float c;
};

/* Every 17th record, 3 of the members read, float. */
__global__ void __launch_bounds__(192) strided_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[(size_t)i * 17].a;
	x += 0.5f * p[(size_t)i * 17].b[0];
	x += 1.25f * p[(size_t)i * 17].b[1];
	x += 1.25f * p[(size_t)i * 17].b[2];
	x += 0.75f * p[(size_t)i * 17].c;
	out[i] = (float)(x + k);
}

/* Every 2th record, 1 of the members read, float, 32 accumulators, 24 rounds. */
__global__ void __launch_bounds__(512) strided_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[(size_t)i * 2].b[0];
	x += 0.5f * p[(size_t)i * 2].b[1];
	float t[32];
#pragma unroll
	for (int s = 0; s < 32; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 24; r++)
#pragma unroll
		for (int s = 0; s < 32; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 32] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 32; s++)
		x += t[s];
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 11308026 * sizeof(record));
	cudaMemset(p, 0, 11308026 * sizeof(record));
	float *out;
	cudaMalloc(&out, 11308026 * sizeof(float));
	cudaMemset(out, 0, 11308026 * sizeof(float));
	strided_1_a<<<184, 192>>>(p, out, 35297);
	strided_1_a<<<962, 192>>>(p, out, 184567);
	strided_1_a<<<3465, 192>>>(p, out, 665178);
	strided_1_b<<<123, 512>>>(p, out, 62976);
	strided_1_b<<<3544, 512>>>(p, out, 1814528);
	strided_1_b<<<4096, 512>>>(p, out, 2097152);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
