/*
 * The struct sweep, gather 7: records of 40 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	double f;
	float g;
};

/* Records gathered from anywhere, 7 of the members read, float. */
__global__ void __launch_bounds__(384) gather_7_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].a;
	x += 1.25f * p[j].b;
	x += 0.75f * p[j].c;
	x += 0.5f * p[j].d;
	x += 0.75f * p[j].e;
	x += 0.75f * (float)p[j].f;
	x += 1.25f * p[j].g;
	out[i] = (float)(x + k);
}

/* Records gathered by a list, 1 of the members read, float. */
__global__ void __launch_bounds__(64) gather_7_b(const record *p, record *q, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].g;
	q[i].a = (x * 0.5f);
	q[i].c = (x * 0.75f);
	q[i].f = (x * 1.0f);
	q[i].g = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 8388608 * sizeof(record));
	cudaMemset(p, 0, 8388608 * sizeof(record));
	float *out;
	cudaMalloc(&out, 8388608 * sizeof(float));
	cudaMemset(out, 0, 8388608 * sizeof(float));
	record *q;
	cudaMalloc(&q, 5816267 * sizeof(record));
	cudaMemset(q, 0, 5816267 * sizeof(record));
	int *place;
	cudaMalloc(&place, 5816267 * sizeof(int));
	cudaMemset(place, 0, 5816267 * sizeof(int));
	gather_7_a<<<683, 384>>>(p, out, 262144);
	gather_7_a<<<2731, 384>>>(p, out, 1048576);
	gather_7_a<<<21846, 384>>>(p, out, 8388608);
	gather_7_b<<<2384, 64>>>(p, q, place, 152576);
	gather_7_b<<<10928, 64>>>(p, q, place, 699392);
	gather_7_b<<<90880, 64>>>(p, q, place, 5816267);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
