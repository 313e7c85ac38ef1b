/*
 * The struct sweep, gather 1: records of 56 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	double b;
	float c;
	int d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
	int k;
	float l;
};

/* Records gathered from anywhere, 3 of the members read, float, 6 times divide. */
__global__ void __launch_bounds__(192) gather_1_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].c;
	k += p[j].d * 3;
	x += 0.5f * p[j].l;
	for (int r = 0; r < 6; r++)
		x = 1.5f / (x + 0.5f);
	q[i].a = (x * 0.5f);
	q[i].b = (x * 0.75f);
	q[i].c = (x * 1.0f);
	q[i].d = (int)((k + 3));
	q[i].e = (x * 0.5f);
	q[i].f = (x * 0.75f);
	q[i].g = (x * 1.0f);
	q[i].h = (x * 1.25f);
	q[i].i = (x * 0.5f);
	q[i].j = (x * 0.75f);
	q[i].k = (int)((k + 10));
	q[i].l = (x * 1.25f);
}

/* Records gathered from anywhere, 9 of the members read, double. */
__global__ void __launch_bounds__(128) gather_1_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	double x = 0.25;
	int k = 1;
	x += 0.75 * p[j].a;
	x += 0.75 * p[j].b;
	k += p[j].d * 3;
	x += 0.75 * p[j].e;
	x += 0.75 * p[j].f;
	x += 1.25 * p[j].g;
	x += 1.25 * p[j].h;
	x += 0.75 * p[j].j;
	x += 0.5 * p[j].l;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 8388608 * sizeof(record));
	cudaMemset(p, 0, 8388608 * sizeof(record));
	record *q;
	cudaMalloc(&q, 2097152 * sizeof(record));
	cudaMemset(q, 0, 2097152 * sizeof(record));
	float *out;
	cudaMalloc(&out, 8388608 * sizeof(float));
	cudaMemset(out, 0, 8388608 * sizeof(float));
	gather_1_a<<<171, 192>>>(p, q, 32768);
	gather_1_a<<<2731, 192>>>(p, q, 524288);
	gather_1_a<<<10923, 192>>>(p, q, 2097152);
	gather_1_b<<<512, 128>>>(p, out, 65536);
	gather_1_b<<<8192, 128>>>(p, out, 1048576);
	gather_1_b<<<65536, 128>>>(p, out, 8388608);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
