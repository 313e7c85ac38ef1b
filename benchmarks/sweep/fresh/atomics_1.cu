/*
 * The struct sweep, atomics 1: records of 32 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	int b;
	double c;
	float d;
};

/* Atomic additions to 1 of the members of 1048576 records. */
__global__ void __launch_bounds__(256) atomics_1_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].a, (double)(x));
}

/* Atomic additions to 4 of the members of 64 records. */
__global__ void __launch_bounds__(256) atomics_1_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, (double)(x));
	atomicAdd(&p[j].b, 2);
	atomicAdd(&p[j].c, (double)(x * 1.0f));
	atomicAdd(&p[j].d, x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 4194304 * sizeof(float));
	cudaMemset(x0, 0, 4194304 * sizeof(float));
	atomics_1_a<<<782, 256>>>(p, x0, 200000);
	atomics_1_a<<<4096, 256>>>(p, x0, 1048576);
	atomics_1_a<<<16384, 256>>>(p, x0, 4194304);
	atomics_1_b<<<782, 256>>>(p, x0, 200000);
	atomics_1_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_1_b<<<16384, 256>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
