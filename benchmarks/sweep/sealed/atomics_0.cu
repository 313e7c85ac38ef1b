/*
 * The struct sweep, atomics 0: records of 40 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	double b;
	double c;
	int d;
	int e;
	float f;
	int g;
};

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(384) atomics_0_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, (double)(x));
	atomicAdd(&p[j].b, (double)(x * 0.75f));
	atomicAdd(&p[j].c, (double)(x * 1.0f));
	atomicAdd(&p[j].d, 4);
}

/* Atomic additions to 1 of the members of 1048576 records. */
__global__ void __launch_bounds__(32) atomics_0_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].e, 1);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_0_a<<<171, 384>>>(p, x0, 65536);
	atomics_0_a<<<2731, 384>>>(p, x0, 1048576);
	atomics_0_a<<<13021, 384>>>(p, x0, 5000000);
	atomics_0_b<<<2048, 32>>>(p, x0, 65536);
	atomics_0_b<<<32768, 32>>>(p, x0, 1048576);
	atomics_0_b<<<156250, 32>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
