/*
 * The struct sweep, atomics 8: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	unsigned c;
};

/* Atomic additions to 2 of the members of 4096 records. */
__global__ void __launch_bounds__(96) atomics_8_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].b, x);
	atomicAdd(&p[j].c, 2);
}

/* Atomic additions to 3 of the members of 1048576 records. */
__global__ void __launch_bounds__(256) atomics_8_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].b, x * 0.75f);
	atomicAdd(&p[j].c, 3);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_8_a<<<683, 96>>>(p, x0, 65536);
	atomics_8_a<<<10923, 96>>>(p, x0, 1048576);
	atomics_8_a<<<52084, 96>>>(p, x0, 5000000);
	atomics_8_b<<<782, 256>>>(p, x0, 200000);
	atomics_8_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_8_b<<<16384, 256>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
