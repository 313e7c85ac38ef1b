/*
 * The struct sweep, atomics 3: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(128) atomics_3_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].b, x);
}

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(128) atomics_3_b(record *p, const float *x0, int n)
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
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 4194304 * sizeof(float));
	cudaMemset(x0, 0, 4194304 * sizeof(float));
	atomics_3_a<<<1563, 128>>>(p, x0, 200000);
	atomics_3_a<<<8192, 128>>>(p, x0, 1048576);
	atomics_3_a<<<32768, 128>>>(p, x0, 4194304);
	atomics_3_b<<<512, 128>>>(p, x0, 65536);
	atomics_3_b<<<8192, 128>>>(p, x0, 1048576);
	atomics_3_b<<<32768, 128>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
