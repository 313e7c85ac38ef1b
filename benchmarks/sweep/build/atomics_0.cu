/*
 * The struct sweep, atomics 0: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Atomic additions to 1 of the members of 1048576 records. */
__global__ void __launch_bounds__(32) atomics_0_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].a, x);
}

/* Atomic additions to 1 of the members of 1048576 records. */
__global__ void __launch_bounds__(96) atomics_0_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].a, x);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 4194304 * sizeof(float));
	cudaMemset(x0, 0, 4194304 * sizeof(float));
	atomics_0_a<<<6250, 32>>>(p, x0, 200000);
	atomics_0_a<<<32768, 32>>>(p, x0, 1048576);
	atomics_0_a<<<131072, 32>>>(p, x0, 4194304);
	atomics_0_b<<<683, 96>>>(p, x0, 65536);
	atomics_0_b<<<10923, 96>>>(p, x0, 1048576);
	atomics_0_b<<<43691, 96>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
