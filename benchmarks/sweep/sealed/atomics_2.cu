/*
 * The struct sweep, atomics 2: records of 56 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	double b;
	unsigned c;
	float d;
	double e;
	int f;
	double g;
	float h;
};

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(512) atomics_2_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].c, 1);
	atomicAdd(&p[j].d, x * 0.75f);
	atomicAdd(&p[j].f, 3);
	atomicAdd(&p[j].g, (double)(x * 1.25f));
}

/* Atomic additions to 4 of the members of 1048576 records. */
__global__ void __launch_bounds__(256) atomics_2_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].a, 1);
	atomicAdd(&p[j].c, 2);
	atomicAdd(&p[j].g, (double)(x * 1.0f));
	atomicAdd(&p[j].h, x * 1.25f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 4194304 * sizeof(float));
	cudaMemset(x0, 0, 4194304 * sizeof(float));
	atomics_2_a<<<128, 512>>>(p, x0, 65536);
	atomics_2_a<<<2048, 512>>>(p, x0, 1048576);
	atomics_2_a<<<8192, 512>>>(p, x0, 4194304);
	atomics_2_b<<<256, 256>>>(p, x0, 65536);
	atomics_2_b<<<4096, 256>>>(p, x0, 1048576);
	atomics_2_b<<<16384, 256>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
