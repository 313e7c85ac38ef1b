/*
 * The struct sweep, atomics 2: records of 32 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	unsigned b;
	int c;
	float d;
	double e;
	float f;
};

/* Atomic additions to 3 of the members of 64 records. */
__global__ void __launch_bounds__(64) atomics_2_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].c, 2);
	atomicAdd(&p[j].d, x * 1.0f);
}

/* Atomic additions to 1 of the members of 4096 records. */
__global__ void __launch_bounds__(128) atomics_2_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
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
	atomics_2_a<<<3125, 64>>>(p, x0, 200000);
	atomics_2_a<<<16384, 64>>>(p, x0, 1048576);
	atomics_2_a<<<78125, 64>>>(p, x0, 5000000);
	atomics_2_b<<<1563, 128>>>(p, x0, 200000);
	atomics_2_b<<<8192, 128>>>(p, x0, 1048576);
	atomics_2_b<<<39063, 128>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
