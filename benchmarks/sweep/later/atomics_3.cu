/*
 * The struct sweep, atomics 3: records of 32 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
	double c;
	int d;
	float e;
};

/* Atomic additions to 1 of the members of 1048576 records. */
__global__ void __launch_bounds__(192) atomics_3_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].a, (double)(x));
}

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(512) atomics_3_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].c, (double)(x));
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_3_a<<<1042, 192>>>(p, x0, 200000);
	atomics_3_a<<<5462, 192>>>(p, x0, 1048576);
	atomics_3_a<<<21846, 192>>>(p, x0, 4194304);
	atomics_3_b<<<391, 512>>>(p, x0, 200000);
	atomics_3_b<<<2048, 512>>>(p, x0, 1048576);
	atomics_3_b<<<9766, 512>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
