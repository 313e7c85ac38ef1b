/*
 * The struct sweep, atomics 0: records of 40 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned a;
	unsigned b;
	unsigned c;
	float d;
	float e;
	double f;
	int g;
};

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(512) atomics_0_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].b, 2);
	atomicAdd(&p[j].d, x * 1.0f);
	atomicAdd(&p[j].g, 4);
}

/* Atomic additions to 1 of the members of 1048576 records. */
__global__ void __launch_bounds__(256) atomics_0_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].d, x);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_0_a<<<391, 512>>>(p, x0, 200000);
	atomics_0_a<<<2048, 512>>>(p, x0, 1048576);
	atomics_0_a<<<9766, 512>>>(p, x0, 5000000);
	atomics_0_b<<<256, 256>>>(p, x0, 65536);
	atomics_0_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_0_b<<<16384, 256>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
