/*
 * The struct sweep, atomics 4: records of 80 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	unsigned b;
	unsigned c;
	float d;
	int e;
	float f;
	int g;
	unsigned h;
	float i;
	float j;
	double k;
	float l;
	int m;
	float n;
	double o;
	float p;
};

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(96) atomics_4_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, x);
	atomicAdd(&p[j].c, 2);
	atomicAdd(&p[j].e, 3);
	atomicAdd(&p[j].g, 4);
}

/* Atomic additions to 1 of the members of 64 records. */
__global__ void __launch_bounds__(32) atomics_4_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 63u;
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
	atomics_4_a<<<2084, 96>>>(p, x0, 200000);
	atomics_4_a<<<10923, 96>>>(p, x0, 1048576);
	atomics_4_a<<<52084, 96>>>(p, x0, 5000000);
	atomics_4_b<<<6250, 32>>>(p, x0, 200000);
	atomics_4_b<<<32768, 32>>>(p, x0, 1048576);
	atomics_4_b<<<131072, 32>>>(p, x0, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
