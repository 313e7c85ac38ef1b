/*
 * The struct sweep, atomics 1: records of 72 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	unsigned b;
	float c;
	float d;
	float e;
	float f;
	float g;
	double h;
	float i;
	double j;
	double k;
	double l;
};

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(96) atomics_1_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].b, 2);
	atomicAdd(&p[j].c, x * 1.0f);
	atomicAdd(&p[j].d, x * 1.25f);
}

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(96) atomics_1_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].b, 2);
	atomicAdd(&p[j].c, x * 1.0f);
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
	atomics_1_a<<<683, 96>>>(p, x0, 65536);
	atomics_1_a<<<10923, 96>>>(p, x0, 1048576);
	atomics_1_a<<<43691, 96>>>(p, x0, 4194304);
	atomics_1_b<<<2084, 96>>>(p, x0, 200000);
	atomics_1_b<<<10923, 96>>>(p, x0, 1048576);
	atomics_1_b<<<52084, 96>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
