/*
 * The struct sweep, strided 4: records of 28 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e[2];
	float f;
};

/* Each thread a run of 4 records, 6 of the members read, float. */
__global__ void __launch_bounds__(384) strided_4_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 4; r++) {
		int j = i * 4 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[j].a;
		x += 1.25f * p[j].b;
		x += 1.25f * p[j].c;
		x += 1.25f * p[j].d;
		x += 0.5f * p[j].e[0];
		x += 0.5f * p[j].e[1];
		x += 0.75f * p[j].f;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a run of 7 records, 1 of the members read, float. */
__global__ void __launch_bounds__(256) strided_4_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 7; r++) {
		int j = i * 7 + r;
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[j].f;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 10445820 * sizeof(record));
	cudaMemset(p, 0, 10445820 * sizeof(record));
	float *out;
	cudaMalloc(&out, 10445820 * sizeof(float));
	cudaMemset(out, 0, 10445820 * sizeof(float));
	strided_4_a<<<144, 384>>>(p, out, 55040);
	strided_4_a<<<1862, 384>>>(p, out, 715008);
	strided_4_a<<<6450, 384>>>(p, out, 2476800);
	strided_4_b<<<178, 256>>>(p, out, 45489);
	strided_4_b<<<964, 256>>>(p, out, 246784);
	strided_4_b<<<5830, 256>>>(p, out, 1492260);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
