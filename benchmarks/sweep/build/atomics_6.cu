/*
 * The struct sweep, atomics 6: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Atomic additions to 1 of the members of 4096 records. */
__global__ void __launch_bounds__(96) atomics_6_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, x);
}

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(256) atomics_6_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, x);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_6_a<<<2084, 96>>>(p, x0, 200000);
	atomics_6_a<<<10923, 96>>>(p, x0, 1048576);
	atomics_6_a<<<52084, 96>>>(p, x0, 5000000);
	atomics_6_b<<<782, 256>>>(p, x0, 200000);
	atomics_6_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_6_b<<<19532, 256>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
