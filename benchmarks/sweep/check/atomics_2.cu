/*
 * The struct sweep, atomics 2: records of 16 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	unsigned b;
};

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(384) atomics_2_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].b, 1);
}

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(256) atomics_2_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, (double)(x));
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 4194304 * sizeof(float));
	cudaMemset(x0, 0, 4194304 * sizeof(float));
	atomics_2_a<<<521, 384>>>(p, x0, 200000);
	atomics_2_a<<<2731, 384>>>(p, x0, 1048576);
	atomics_2_a<<<10923, 384>>>(p, x0, 4194304);
	atomics_2_b<<<256, 256>>>(p, x0, 65536);
	atomics_2_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_2_b<<<16384, 256>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
