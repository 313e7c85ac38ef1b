/*
 * The struct sweep, gather 0: records of 32 bytes, 8 members. Written by generate.py.
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
};

/* Records gathered by a list, 1 of the members read, float, 6 times fma. */
__global__ void __launch_bounds__(192) gather_0_a(const record *p, record *q, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].d;
	for (int r = 0; r < 6; r++)
		x = x * 0.5f + 0.75f;
	q[i].b = (x * 0.5f);
	q[i].d = (x * 0.75f);
}

/* Records gathered from anywhere, 6 of the members read, float. */
__global__ void __launch_bounds__(96) gather_0_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].b;
	x += 0.75f * p[j].d;
	x += 0.5f * p[j].e;
	x += 1.25f * p[j].f;
	x += 0.75f * p[j].g;
	x += 1.25f * p[j].h;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 8388608 * sizeof(record));
	cudaMemset(p, 0, 8388608 * sizeof(record));
	record *q;
	cudaMalloc(&q, 6652928 * sizeof(record));
	cudaMemset(q, 0, 6652928 * sizeof(record));
	int *place;
	cudaMalloc(&place, 6652928 * sizeof(int));
	cudaMemset(place, 0, 6652928 * sizeof(int));
	float *out;
	cudaMalloc(&out, 8388608 * sizeof(float));
	cudaMemset(out, 0, 8388608 * sizeof(float));
	gather_0_a<<<598, 192>>>(p, q, place, 114688);
	gather_0_a<<<7248, 192>>>(p, q, place, 1391616);
	gather_0_a<<<34651, 192>>>(p, q, place, 6652928);
	gather_0_b<<<1366, 96>>>(p, out, 131072);
	gather_0_b<<<10923, 96>>>(p, out, 1048576);
	gather_0_b<<<87382, 96>>>(p, out, 8388608);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
