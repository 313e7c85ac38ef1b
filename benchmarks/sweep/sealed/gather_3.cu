/*
 * The struct sweep, gather 3: records of 40 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	int b;
	int c;
	float d;
	int e;
	float f;
	float g;
	short h;
	float i;
	short j;
};

/* Records gathered from anywhere, 5 of the members read, float. */
__global__ void __launch_bounds__(512) gather_3_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	k += p[j].a * 1;
	k += p[j].b * 3;
	x += 0.75f * p[j].d;
	x += 0.5f * p[j].g;
	x += 0.75f * p[j].i;
	out[i] = (float)(x + k);
}

/* Records gathered from anywhere, 10 of the members read, float. */
__global__ void __launch_bounds__(128) gather_3_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (int)(((unsigned)i * 2654435761u >> 7) & (unsigned)(n - 1));
	float x = 0.25f;
	int k = 1;
	k += p[j].a * 3;
	k += p[j].b * 3;
	k += p[j].c * 1;
	x += 0.5f * p[j].d;
	k += p[j].e * 1;
	x += 1.25f * p[j].f;
	x += 0.75f * p[j].g;
	k += p[j].h * 1;
	x += 0.75f * p[j].i;
	k += p[j].j * 1;
	q[i].j = (short)((k + 0) & 16383);
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
	cudaMalloc(&q, 2097152 * sizeof(record));
	cudaMemset(q, 0, 2097152 * sizeof(record));
	gather_3_a<<<512, 512>>>(p, out, 262144);
	gather_3_a<<<2048, 512>>>(p, out, 1048576);
	gather_3_a<<<16384, 512>>>(p, out, 8388608);
	gather_3_b<<<512, 128>>>(p, q, 65536);
	gather_3_b<<<4096, 128>>>(p, q, 524288);
	gather_3_b<<<16384, 128>>>(p, q, 2097152);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
