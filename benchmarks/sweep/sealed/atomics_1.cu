/*
 * The struct sweep, atomics 1: records of 56 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	unsigned b;
	int c;
	double d;
	double e;
	int f;
	double g;
	double h;
};

/* Atomic additions to 4 of the members of 64 records. */
__global__ void __launch_bounds__(192) atomics_1_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, x);
	atomicAdd(&p[j].b, 2);
	atomicAdd(&p[j].e, (double)(x * 1.0f));
	atomicAdd(&p[j].h, (double)(x * 1.25f));
}

/* Atomic additions to 1 of the members of 1048576 records. */
__global__ void __launch_bounds__(256) atomics_1_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].h, (double)(x));
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_1_a<<<1042, 192>>>(p, x0, 200000);
	atomics_1_a<<<5462, 192>>>(p, x0, 1048576);
	atomics_1_a<<<26042, 192>>>(p, x0, 5000000);
	atomics_1_b<<<256, 256>>>(p, x0, 65536);
	atomics_1_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_1_b<<<19532, 256>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
