/*
 * The struct sweep, atomics 3: records of 24 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	int b;
	int c;
	float d;
	int e;
};

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(384) atomics_3_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, (double)(x));
	atomicAdd(&p[j].b, 2);
	atomicAdd(&p[j].c, 3);
	atomicAdd(&p[j].d, x * 1.25f);
}

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(384) atomics_3_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, (double)(x));
	atomicAdd(&p[j].b, 2);
	atomicAdd(&p[j].c, 3);
	atomicAdd(&p[j].d, x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_3_a<<<171, 384>>>(p, x0, 65536);
	atomics_3_a<<<2731, 384>>>(p, x0, 1048576);
	atomics_3_a<<<10923, 384>>>(p, x0, 4194304);
	atomics_3_b<<<521, 384>>>(p, x0, 200000);
	atomics_3_b<<<2731, 384>>>(p, x0, 1048576);
	atomics_3_b<<<13021, 384>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
