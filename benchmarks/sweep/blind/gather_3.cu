/*
 * The struct sweep, gather 3: records of 48 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
	short c;
	float d;
	float e;
	float f;
	double g;
	int h;
};

/* Records gathered by a list, 8 of the members read, double. */
__global__ void __launch_bounds__(128) gather_3_a(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	double x = 0.25;
	int k = 1;
	x += 0.75 * p[j].a;
	x += 1.25 * p[j].b;
	k += p[j].c * 5;
	x += 1.25 * p[j].d;
	x += 1.25 * p[j].e;
	x += 0.5 * p[j].f;
	x += 0.5 * p[j].g;
	k += p[j].h * 1;
	out[i] = (float)(x + k);
}

/* Records gathered from anywhere, 2 of the members read, float, 16 accumulators, 48 rounds. */
__global__ void __launch_bounds__(64) gather_3_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.75f * (float)p[j].a;
	x += 0.75f * p[j].b;
	float t[16];
#pragma unroll
	for (int s = 0; s < 16; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 48; r++)
#pragma unroll
		for (int s = 0; s < 16; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 16] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 16; s++)
		x += t[s];
	q[i].b = (x * 0.5f);
	q[i].f = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5848064 * sizeof(record));
	cudaMemset(p, 0, 5848064 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5848064 * sizeof(float));
	cudaMemset(out, 0, 5848064 * sizeof(float));
	int *place;
	cudaMalloc(&place, 5848064 * sizeof(int));
	cudaMemset(place, 0, 5848064 * sizeof(int));
	record *q;
	cudaMalloc(&q, 2097152 * sizeof(record));
	cudaMemset(q, 0, 2097152 * sizeof(record));
	gather_3_a<<<1384, 128>>>(p, out, place, 177152);
	gather_3_a<<<10342, 128>>>(p, out, place, 1323765);
	gather_3_a<<<45688, 128>>>(p, out, place, 5848064);
	gather_3_b<<<1024, 64>>>(p, q, 65536);
	gather_3_b<<<8192, 64>>>(p, q, 524288);
	gather_3_b<<<32768, 64>>>(p, q, 2097152);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
