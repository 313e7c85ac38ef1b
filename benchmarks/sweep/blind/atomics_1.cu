/*
 * The struct sweep, atomics 1: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned a;
	float b;
	float c;
};

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(32) atomics_1_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].c, x);
}

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(256) atomics_1_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].b, x);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_1_a<<<6250, 32>>>(p, x0, 200000);
	atomics_1_a<<<32768, 32>>>(p, x0, 1048576);
	atomics_1_a<<<156250, 32>>>(p, x0, 5000000);
	atomics_1_b<<<782, 256>>>(p, x0, 200000);
	atomics_1_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_1_b<<<16384, 256>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
