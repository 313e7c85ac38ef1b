/*
 * The struct sweep, gather 1: records of 28 bytes, 7 members. Written by generate.py.
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
};

/* Records gathered from anywhere, 1 of the members read, float. */
__global__ void __launch_bounds__(96) gather_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].g;
	out[i] = (float)(x + k);
}

/* Records gathered by a list, 7 of the members read, float. */
__global__ void __launch_bounds__(96) gather_1_b(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	x += 0.75f * p[j].b;
	x += 0.75f * p[j].c;
	x += 0.75f * p[j].d;
	x += 0.75f * p[j].e;
	x += 1.25f * p[j].f;
	x += 0.75f * p[j].g;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	int *place;
	cudaMalloc(&place, 16777216 * sizeof(int));
	cudaMemset(place, 0, 16777216 * sizeof(int));
	gather_1_a<<<2731, 96>>>(p, out, 262144);
	gather_1_a<<<21846, 96>>>(p, out, 2097152);
	gather_1_a<<<87382, 96>>>(p, out, 8388608);
	gather_1_b<<<2347, 96>>>(p, out, place, 225280);
	gather_1_b<<<22176, 96>>>(p, out, place, 2128896);
	gather_1_b<<<174763, 96>>>(p, out, place, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
