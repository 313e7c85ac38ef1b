/*
 * The struct sweep, atomics 0: records of 32 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
	double c;
	double d;
};

/* Atomic additions to 4 of the members of 64 records. */
__global__ void __launch_bounds__(96) atomics_0_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, (double)(x));
	atomicAdd(&p[j].b, x * 0.75f);
	atomicAdd(&p[j].c, (double)(x * 1.0f));
	atomicAdd(&p[j].d, (double)(x * 1.25f));
}

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(256) atomics_0_b(record *p, const float *x0, int n)
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
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_0_a<<<2084, 96>>>(p, x0, 200000);
	atomics_0_a<<<10923, 96>>>(p, x0, 1048576);
	atomics_0_a<<<52084, 96>>>(p, x0, 5000000);
	atomics_0_b<<<782, 256>>>(p, x0, 200000);
	atomics_0_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_0_b<<<19532, 256>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
