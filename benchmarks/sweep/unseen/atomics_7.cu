/*
 * The struct sweep, atomics 7: records of 40 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned a;
	float b;
	float c;
	double d;
	unsigned e;
	float f;
	float g;
	unsigned h;
};

/* Atomic additions to 1 of the members of 1048576 records. */
__global__ void __launch_bounds__(256) atomics_7_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].h, 1);
}

/* Atomic additions to 4 of the members of 64 records. */
__global__ void __launch_bounds__(64) atomics_7_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].b, x * 0.75f);
	atomicAdd(&p[j].c, x * 1.0f);
	atomicAdd(&p[j].d, (double)(x * 1.25f));
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_7_a<<<256, 256>>>(p, x0, 65536);
	atomics_7_a<<<4096, 256>>>(p, x0, 1048576);
	atomics_7_a<<<19532, 256>>>(p, x0, 5000000);
	atomics_7_b<<<3125, 64>>>(p, x0, 200000);
	atomics_7_b<<<16384, 64>>>(p, x0, 1048576);
	atomics_7_b<<<78125, 64>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
