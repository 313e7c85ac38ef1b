/*
 * The struct sweep, stencil 4: records of 24 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b;
	float c[3];
	int d;
};

/* 8 neighbours on a line, 4 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_4_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 4 || i >= n - 4)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	k += p[i].b * 3;
	x += 0.75f * p[i].c[0];
	x += 0.5f * p[i].c[1];
	k += p[i].d * 1;
	x += 0.0625f * p[i - 1].a;
	x += 0.0625f * p[i + 1].a;
	x += 0.0625f * p[i - 2].a;
	x += 0.0625f * p[i + 2].a;
	x += 0.0625f * p[i - 3].a;
	x += 0.0625f * p[i + 3].a;
	x += 0.0625f * p[i - 4].a;
	x += 0.0625f * p[i + 4].a;
	q[i].a = (x * 0.5f);
}

/* 2 neighbours on a line, 2 of the members read, float. */
__global__ void __launch_bounds__(96) stencil_4_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 1 || i >= n - 1)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[i].b * 3;
	x += 1.25f * p[i].c[0];
	x += 0.5f * p[i].c[1];
	x += 0.75f * p[i].c[2];
	x += 0.25f * p[i - 1].a;
	x += 0.25f * p[i + 1].a;
	q[i].b = (int)((k + 0));
	q[i].d = (int)((k + 1));
}

int main()
{
	record *p;
	cudaMalloc(&p, 13142016 * sizeof(record));
	cudaMemset(p, 0, 13142016 * sizeof(record));
	record *q;
	cudaMalloc(&q, 13142016 * sizeof(record));
	cudaMemset(q, 0, 13142016 * sizeof(record));
	stencil_4_a<<<246, 256>>>(p, q, 62944);
	stencil_4_a<<<4192, 256>>>(p, q, 1073152);
	stencil_4_a<<<32404, 256>>>(p, q, 8295424);
	stencil_4_b<<<2208, 96>>>(p, q, 211968);
	stencil_4_b<<<10070, 96>>>(p, q, 966656);
	stencil_4_b<<<136896, 96>>>(p, q, 13142016);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
