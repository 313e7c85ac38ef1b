/*
 * The struct sweep, gather 2: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Records gathered by a list, 1 of the members read, float, 6 times divide. */
__global__ void __launch_bounds__(128) gather_2_a(const record *p, record *q, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	for (int r = 0; r < 6; r++)
		x = 1.5f / (x + 0.5f);
	q[i].a = (x * 0.5f);
}

/* Records gathered from anywhere, 1 of the members read, float, 32 accumulators, 48 rounds. */
__global__ void __launch_bounds__(256) gather_2_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	float t[32];
#pragma unroll
	for (int s = 0; s < 32; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 48; r++)
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
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	record *q;
	cudaMalloc(&q, 16777216 * sizeof(record));
	cudaMemset(q, 0, 16777216 * sizeof(record));
	int *place;
	cudaMalloc(&place, 16777216 * sizeof(int));
	cudaMemset(place, 0, 16777216 * sizeof(int));
	float *out;
	cudaMalloc(&out, 4194304 * sizeof(float));
	cudaMemset(out, 0, 4194304 * sizeof(float));
	gather_2_a<<<9681, 128>>>(p, q, place, 1239096);
	gather_2_a<<<59760, 128>>>(p, q, place, 7649280);
	gather_2_a<<<131072, 128>>>(p, q, place, 16777216);
	gather_2_b<<<8192, 256>>>(p, out, 2097152);
	gather_2_b<<<16384, 256>>>(p, out, 4194304);
	gather_2_b<<<16384, 256>>>(p, out, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
