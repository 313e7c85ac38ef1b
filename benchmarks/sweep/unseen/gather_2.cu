/*
 * The struct sweep, gather 2: records of 48 bytes, 8 members. Written by generate.py.
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
	int g;
	double h;
};

/* Records gathered by a list, 8 of the members read, float. */
__global__ void __launch_bounds__(192) gather_2_a(const record *p, record *q, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a;
	x += 0.75f * p[j].b;
	x += 0.5f * p[j].c;
	x += 0.5f * p[j].d;
	x += 1.25f * p[j].e;
	x += 1.25f * (float)p[j].f;
	k += p[j].g * 3;
	x += 0.5f * (float)p[j].h;
	q[i].f = (x * 0.5f);
}

/* Records gathered by a list, 8 of the members read, float. */
__global__ void __launch_bounds__(512) gather_2_b(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	x += 0.5f * p[j].b;
	x += 0.5f * p[j].c;
	x += 0.75f * p[j].d;
	x += 1.25f * p[j].e;
	x += 0.75f * (float)p[j].f;
	k += p[j].g * 5;
	x += 0.5f * (float)p[j].h;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 9090048 * sizeof(record));
	cudaMemset(p, 0, 9090048 * sizeof(record));
	record *q;
	cudaMalloc(&q, 4194304 * sizeof(record));
	cudaMemset(q, 0, 4194304 * sizeof(record));
	int *place;
	cudaMalloc(&place, 9090048 * sizeof(int));
	cudaMemset(place, 0, 9090048 * sizeof(int));
	float *out;
	cudaMalloc(&out, 9090048 * sizeof(float));
	cudaMemset(out, 0, 9090048 * sizeof(float));
	gather_2_a<<<331, 192>>>(p, q, place, 63488);
	gather_2_a<<<3366, 192>>>(p, q, place, 646144);
	gather_2_a<<<20315, 192>>>(p, q, place, 3900416);
	gather_2_b<<<354, 512>>>(p, out, place, 181248);
	gather_2_b<<<1892, 512>>>(p, out, place, 968704);
	gather_2_b<<<17754, 512>>>(p, out, place, 9090048);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
