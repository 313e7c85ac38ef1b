/*
 * The struct sweep, gather 0: records of 48 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
};

/* Records gathered within 1024 neighbours, 12 of the members read, float. */
__global__ void __launch_bounds__(64) gather_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a;
	x += 0.75f * p[j].b;
	x += 0.5f * p[j].c;
	x += 1.25f * p[j].d;
	x += 0.75f * p[j].e;
	x += 0.5f * p[j].f;
	x += 1.25f * p[j].g;
	x += 0.5f * p[j].h;
	x += 1.25f * p[j].i;
	x += 1.25f * p[j].j;
	x += 1.25f * p[j].k;
	x += 1.25f * p[j].l;
	out[i] = (float)(x + k);
}

/* Records gathered by a list, 12 of the members read, float, 6 times fma. */
__global__ void __launch_bounds__(96) gather_0_b(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	x += 0.5f * p[j].b;
	x += 1.25f * p[j].c;
	x += 1.25f * p[j].d;
	x += 1.25f * p[j].e;
	x += 0.5f * p[j].f;
	x += 0.75f * p[j].g;
	x += 0.5f * p[j].h;
	x += 0.5f * p[j].i;
	x += 1.25f * p[j].j;
	x += 0.75f * p[j].k;
	x += 1.25f * p[j].l;
	for (int r = 0; r < 6; r++)
		x = x * 0.5f + 0.75f;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 8388608 * sizeof(record));
	cudaMemset(p, 0, 8388608 * sizeof(record));
	float *out;
	cudaMalloc(&out, 8388608 * sizeof(float));
	cudaMemset(out, 0, 8388608 * sizeof(float));
	int *place;
	cudaMalloc(&place, 8151040 * sizeof(int));
	cudaMemset(place, 0, 8151040 * sizeof(int));
	gather_0_a<<<2048, 64>>>(p, out, 131072);
	gather_0_a<<<16384, 64>>>(p, out, 1048576);
	gather_0_a<<<131072, 64>>>(p, out, 8388608);
	gather_0_b<<<2646, 96>>>(p, out, place, 253952);
	gather_0_b<<<11246, 96>>>(p, out, place, 1079528);
	gather_0_b<<<84907, 96>>>(p, out, place, 8151040);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
