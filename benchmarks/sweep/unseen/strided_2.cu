/*
 * The struct sweep, strided 2: records of 80 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h[4];
	float i;
	float j;
	float k;
	float l;
	float m;
	float n;
	float o[2];
	float p;
};

/* Every 5th record, 12 of the members read, float. */
__global__ void __launch_bounds__(128) strided_2_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[(size_t)i * 5].a;
	x += 1.25f * p[(size_t)i * 5].b;
	x += 0.5f * p[(size_t)i * 5].c;
	x += 1.25f * p[(size_t)i * 5].d;
	x += 1.25f * p[(size_t)i * 5].e;
	x += 1.25f * p[(size_t)i * 5].f;
	x += 0.5f * p[(size_t)i * 5].g;
	x += 0.5f * p[(size_t)i * 5].h[0];
	x += 0.75f * p[(size_t)i * 5].h[1];
	x += 0.75f * p[(size_t)i * 5].i;
	x += 0.75f * p[(size_t)i * 5].j;
	x += 1.25f * p[(size_t)i * 5].l;
	x += 1.25f * p[(size_t)i * 5].o[0];
	x += 0.5f * p[(size_t)i * 5].o[1];
	out[i] = (float)(x + k);
}

/* Every 8th record, 12 of the members read, float. */
__global__ void __launch_bounds__(192) strided_2_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[(size_t)i * 8].a;
	x += 0.75f * p[(size_t)i * 8].b;
	x += 1.25f * p[(size_t)i * 8].c;
	x += 1.25f * p[(size_t)i * 8].f;
	x += 0.5f * p[(size_t)i * 8].g;
	x += 1.25f * p[(size_t)i * 8].h[0];
	x += 0.5f * p[(size_t)i * 8].h[1];
	x += 0.75f * p[(size_t)i * 8].h[2];
	x += 1.25f * p[(size_t)i * 8].h[3];
	x += 0.75f * p[(size_t)i * 8].i;
	x += 0.5f * p[(size_t)i * 8].k;
	x += 1.25f * p[(size_t)i * 8].l;
	x += 0.75f * p[(size_t)i * 8].m;
	x += 0.5f * p[(size_t)i * 8].o[0];
	x += 1.25f * p[(size_t)i * 8].o[1];
	x += 1.25f * p[(size_t)i * 8].p;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 3772232 * sizeof(record));
	cudaMemset(p, 0, 3772232 * sizeof(record));
	float *out;
	cudaMalloc(&out, 3772232 * sizeof(float));
	cudaMemset(out, 0, 3772232 * sizeof(float));
	strided_2_a<<<117, 128>>>(p, out, 14950);
	strided_2_a<<<1253, 128>>>(p, out, 160358);
	strided_2_a<<<4743, 128>>>(p, out, 607027);
	strided_2_b<<<47, 192>>>(p, out, 8960);
	strided_2_b<<<496, 192>>>(p, out, 95232);
	strided_2_b<<<2456, 192>>>(p, out, 471529);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
