/*
 * The struct sweep, gather 2: records of 24 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b;
	float c;
	double d;
};

/* Records gathered from anywhere, 4 of the members read, double, 6 times sqrt. */
__global__ void __launch_bounds__(64) gather_2_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	double x = 0.25;
	int k = 1;
	x += 0.5 * p[j].a;
	k += p[j].b * 3;
	x += 1.25 * p[j].c;
	x += 0.5 * p[j].d;
	for (int r = 0; r < 6; r++)
		x = sqrt(x + 0.5);
	out[i] = (float)(x + k);
}

/* Records gathered within 1024 neighbours, 4 of the members read, double, 48 accumulators, 48 rounds. */
__global__ void __launch_bounds__(256) gather_2_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	double x = 0.25;
	int k = 1;
	x += 0.75 * p[j].a;
	k += p[j].b * 3;
	x += 0.75 * p[j].c;
	x += 0.5 * p[j].d;
	double t[48];
#pragma unroll
	for (int s = 0; s < 48; s++)
		t[s] = x + 0.125 * s;
	for (int r = 0; r < 48; r++)
#pragma unroll
		for (int s = 0; s < 48; s++)
			t[s] = t[s] * 0.5 + t[(s + 1) % 48] * 0.25;
	x = 0.0;
#pragma unroll
	for (int s = 0; s < 48; s++)
		x += t[s];
	q[i].b = (int)((k + 0));
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	record *q;
	cudaMalloc(&q, 4194304 * sizeof(record));
	cudaMemset(q, 0, 4194304 * sizeof(record));
	gather_2_a<<<4096, 64>>>(p, out, 262144);
	gather_2_a<<<32768, 64>>>(p, out, 2097152);
	gather_2_a<<<262144, 64>>>(p, out, 16777216);
	gather_2_b<<<512, 256>>>(p, q, 131072);
	gather_2_b<<<4096, 256>>>(p, q, 1048576);
	gather_2_b<<<16384, 256>>>(p, q, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
