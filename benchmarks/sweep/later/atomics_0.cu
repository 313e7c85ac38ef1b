/*
 * The struct sweep, atomics 0: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	float c;
};

/* Atomic additions to 3 of the members of 64 records. */
__global__ void __launch_bounds__(64) atomics_0_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].b, x * 0.75f);
	atomicAdd(&p[j].c, x * 1.0f);
}

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(96) atomics_0_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, 1);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_0_a<<<3125, 64>>>(p, x0, 200000);
	atomics_0_a<<<16384, 64>>>(p, x0, 1048576);
	atomics_0_a<<<65536, 64>>>(p, x0, 4194304);
	atomics_0_b<<<2084, 96>>>(p, x0, 200000);
	atomics_0_b<<<10923, 96>>>(p, x0, 1048576);
	atomics_0_b<<<52084, 96>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
