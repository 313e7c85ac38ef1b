/*
 * The struct sweep, gather 5: records of 48 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	double c;
	float d;
	double e;
	int f;
	short g;
	double h;
};

/* Records gathered by a list, 1 of the members read, float. */
__global__ void __launch_bounds__(256) gather_5_a(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	k += p[j].a * 3;
	out[i] = (float)(x + k);
}

/* Records gathered within 1024 neighbours, 1 of the members read, float. */
__global__ void __launch_bounds__(256) gather_5_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.5f * (float)p[j].c;
	q[i].a = (int)((k + 0));
	q[i].b = (x * 0.75f);
	q[i].c = (x * 1.0f);
	q[i].d = (x * 1.25f);
	q[i].e = (x * 0.5f);
	q[i].f = (int)((k + 5));
	q[i].g = (short)((k + 6) & 16383);
	q[i].h = (x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 9354240 * sizeof(record));
	cudaMemset(p, 0, 9354240 * sizeof(record));
	float *out;
	cudaMalloc(&out, 9354240 * sizeof(float));
	cudaMemset(out, 0, 9354240 * sizeof(float));
	int *place;
	cudaMalloc(&place, 9354240 * sizeof(int));
	cudaMemset(place, 0, 9354240 * sizeof(int));
	record *q;
	cudaMalloc(&q, 2097152 * sizeof(record));
	cudaMemset(q, 0, 2097152 * sizeof(record));
	gather_5_a<<<848, 256>>>(p, out, place, 217088);
	gather_5_a<<<3964, 256>>>(p, out, place, 1014784);
	gather_5_a<<<36540, 256>>>(p, out, place, 9354240);
	gather_5_b<<<128, 256>>>(p, q, 32768);
	gather_5_b<<<2048, 256>>>(p, q, 524288);
	gather_5_b<<<8192, 256>>>(p, q, 2097152);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
