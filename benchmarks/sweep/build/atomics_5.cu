/*
 * The struct sweep, atomics 5: records of 104 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	float b;
	double c;
	int d;
	float e;
	double f;
	float g;
	double h;
	int i;
	double j;
	float k;
	int l;
	double m;
	unsigned n;
	float o;
	float p;
};

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(96) atomics_5_a(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].a, (double)(x));
	atomicAdd(&p[j].b, x * 0.75f);
	atomicAdd(&p[j].c, (double)(x * 1.0f));
	atomicAdd(&p[j].d, 4);
}

/* Atomic additions to 4 of the members of 4096 records. */
__global__ void __launch_bounds__(192) atomics_5_b(record *p, const float *x0, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = x0[i];
	unsigned j = ((unsigned)i * 2654435761u >> 8) & 4095u;
	atomicAdd(&p[j].e, x);
	atomicAdd(&p[j].f, (double)(x * 0.75f));
	atomicAdd(&p[j].g, x * 1.0f);
	atomicAdd(&p[j].i, 4);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5000000 * sizeof(record));
	cudaMemset(p, 0, 5000000 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 5000000 * sizeof(float));
	cudaMemset(x0, 0, 5000000 * sizeof(float));
	atomics_5_a<<<2084, 96>>>(p, x0, 200000);
	atomics_5_a<<<10923, 96>>>(p, x0, 1048576);
	atomics_5_a<<<43691, 96>>>(p, x0, 4194304);
	atomics_5_b<<<1042, 192>>>(p, x0, 200000);
	atomics_5_b<<<5462, 192>>>(p, x0, 1048576);
	atomics_5_b<<<26042, 192>>>(p, x0, 5000000);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
