/*
 * The struct sweep, atomics 2: records of 48 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	unsigned b;
	float c;
	float d;
	int e;
	float f;
	float g;
	int h;
	float i;
	float j;
	float k;
	float l;
};

/* Atomic additions to 4 of the members of 1048576 records. */
__global__ void __launch_bounds__(256) atomics_2_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].b, 1);
	atomicAdd(&p[j].d, x * 0.75f);
	atomicAdd(&p[j].g, x * 1.0f);
	atomicAdd(&p[j].h, 4);
}

/* Atomic additions to 4 of the members of 64 records. */
__global__ void __launch_bounds__(512) atomics_2_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].a, x);
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
	atomics_2_a<<<782, 256>>>(p, x0, 200000);
	atomics_2_a<<<4096, 256>>>(p, x0, 1048576);
	atomics_2_a<<<19532, 256>>>(p, x0, 5000000);
	atomics_2_b<<<128, 512>>>(p, x0, 65536);
	atomics_2_b<<<2048, 512>>>(p, x0, 1048576);
	atomics_2_b<<<9766, 512>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
