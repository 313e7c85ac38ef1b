/*
 * The struct sweep, stream 6: records of 32 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a[4];
	float b;
	float c;
	double d;
};

/* Streams records (guarded), 1 of the members read, float. */
__global__ void __launch_bounds__(512) stream_6_a(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].c;
	q[i].a[0] = (int)((k + 0));
	q[i].a[1] = (int)((k + 0));
	q[i].a[2] = (int)((k + 0));
	q[i].a[3] = (int)((k + 0));
	q[i].b = (x * 0.75f);
	q[i].c = (x * 1.0f);
	q[i].d = (x * 1.25f);
}

/* Streams records (guarded), 3 of the members read, double. */
__global__ void __launch_bounds__(128) stream_6_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double x = 0.25;
	int k = 1;
	k += p[i].a[0] * 5;
	k += p[i].a[1] * 5;
	k += p[i].a[2] * 5;
	k += p[i].a[3] * 1;
	x += 0.5 * p[i].c;
	x += 1.25 * p[i].d;
	q[i].c = (float)(x * 0.5);
}

int main()
{
	record *p;
	cudaMalloc(&p, 6240256 * sizeof(record));
	cudaMemset(p, 0, 6240256 * sizeof(record));
	record *q;
	cudaMalloc(&q, 6240256 * sizeof(record));
	cudaMemset(q, 0, 6240256 * sizeof(record));
	stream_6_a<<<256, 512>>>(p, q, 131072);
	stream_6_a<<<2692, 512>>>(p, q, 1378304);
	stream_6_a<<<11180, 512>>>(p, q, 5724122);
	stream_6_b<<<664, 128>>>(p, q, 84992);
	stream_6_b<<<10535, 128>>>(p, q, 1348389);
	stream_6_b<<<48752, 128>>>(p, q, 6240256);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
