/*
 * The struct sweep, atomics 2: records of 56 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	unsigned c;
	float d;
	double e;
	float f;
	float g;
	int h;
	double i;
	float j;
};

/* Atomic additions to 4 of the members of 64 records. */
__global__ void __launch_bounds__(256) atomics_2_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].e, (double)(x));
	atomicAdd(&p[j].f, x * 0.75f);
	atomicAdd(&p[j].g, x * 1.0f);
	atomicAdd(&p[j].i, (double)(x * 1.25f));
}

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(256) atomics_2_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].b, x * 0.75f);
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
	atomics_2_a<<<256, 256>>>(p, x0, 65536);
	atomics_2_a<<<4096, 256>>>(p, x0, 1048576);
	atomics_2_a<<<19532, 256>>>(p, x0, 5000000);
	atomics_2_b<<<782, 256>>>(p, x0, 200000);
	atomics_2_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_2_b<<<19532, 256>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
