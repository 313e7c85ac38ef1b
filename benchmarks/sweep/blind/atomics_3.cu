/*
 * The struct sweep, atomics 3: records of 64 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	double b;
	float c;
	int d;
	float e;
	unsigned f;
	float g;
	float h;
	float i;
	float j;
	double k;
	int l;
};

/* Atomic additions to 4 of the members of 1048576 records. */
__global__ void __launch_bounds__(384) atomics_3_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 1048575u;
	atomicAdd(&p[j].a, (double)(x));
	atomicAdd(&p[j].b, (double)(x * 0.75f));
	atomicAdd(&p[j].c, x * 1.0f);
	atomicAdd(&p[j].d, 4);
}

/* Atomic additions to 4 of the members of 64 records. */
__global__ void __launch_bounds__(128) atomics_3_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
	atomicAdd(&p[j].b, (double)(x));
	atomicAdd(&p[j].c, x * 0.75f);
	atomicAdd(&p[j].e, x * 1.0f);
	atomicAdd(&p[j].f, 4);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_3_a<<<521, 384>>>(p, x0, 200000);
	atomics_3_a<<<2731, 384>>>(p, x0, 1048576);
	atomics_3_a<<<10923, 384>>>(p, x0, 4194304);
	atomics_3_b<<<512, 128>>>(p, x0, 65536);
	atomics_3_b<<<8192, 128>>>(p, x0, 1048576);
	atomics_3_b<<<39063, 128>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
