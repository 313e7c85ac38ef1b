/*
 * The struct sweep, broadcast 1: records of 32 bytes, 6 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	short b;
	double c;
	double d;
	float e;
	short f;
};

/* Every thread reads every record, 3 of the members read, float. */
__global__ void __launch_bounds__(192) broadcast_1_a(const record *p, const float *x0, float *out, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float y = x0[i];
	float sum = 0.0f;
	int count = 0;
	for (int j = 0; j < m; j++) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * (float)p[j].c;
		x += 0.75f * (float)p[j].d;
		x += 0.5f * p[j].e;
		float d = x - y;
		sum += d * d + 0.5f;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every thread reads every record, 6 of the members read, double. */
__global__ void __launch_bounds__(384) broadcast_1_b(const record *p, const float *x0, float *out, int m, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	double y = x0[i];
	double sum = 0.0;
	int count = 0;
	for (int j = 0; j < m; j++) {
		double x = 0.25;
		int k = 1;
		x += 0.5 * p[j].a;
		k += p[j].b * 3;
		x += 0.5 * p[j].c;
		x += 0.75 * p[j].d;
		x += 0.5 * p[j].e;
		k += p[j].f * 5;
		double d = x - y;
		sum += d * d + 0.5;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 67584 * sizeof(record));
	cudaMemset(p, 0, 67584 * sizeof(record));
	float *x0;
	cudaMalloc(&x0, 67584 * sizeof(float));
	cudaMemset(x0, 0, 67584 * sizeof(float));
	float *out;
	cudaMalloc(&out, 67584 * sizeof(float));
	cudaMemset(out, 0, 67584 * sizeof(float));
	broadcast_1_a<<<86, 192>>>(p, x0, out, 256, 16384);
	broadcast_1_a<<<352, 192>>>(p, x0, out, 5000, 67584);
	broadcast_1_a<<<352, 192>>>(p, x0, out, 16384, 67584);
	broadcast_1_b<<<43, 384>>>(p, x0, out, 256, 16384);
	broadcast_1_b<<<176, 384>>>(p, x0, out, 5000, 67584);
	broadcast_1_b<<<176, 384>>>(p, x0, out, 12288, 67584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
