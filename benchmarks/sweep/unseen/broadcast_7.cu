/*
 * The struct sweep, broadcast 7: records of 24 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	double b;
	float c;
};

/* Every thread reads every record, 1 of the members read, double, 6 times exp. */
__global__ void __launch_bounds__(256) broadcast_7_a(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.75 * p[j].b;
		for (int r = 0; r < 6; r++)
			x = exp(-0.5 * x);
		double d = x - y;
		sum += d * d + 0.5;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every thread reads every record, 1 of the members read, double, 6 times sqrt. */
__global__ void __launch_bounds__(256) broadcast_7_b(const record *p, const float *x0, float *out, int m, int n)
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
		x += 1.25 * p[j].b;
		for (int r = 0; r < 6; r++)
			x = sqrt(x + 0.5);
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
	broadcast_7_a<<<64, 256>>>(p, x0, out, 512, 16384);
	broadcast_7_a<<<128, 256>>>(p, x0, out, 2048, 32768);
	broadcast_7_a<<<264, 256>>>(p, x0, out, 16384, 67584);
	broadcast_7_b<<<64, 256>>>(p, x0, out, 256, 16384);
	broadcast_7_b<<<264, 256>>>(p, x0, out, 5000, 67584);
	broadcast_7_b<<<264, 256>>>(p, x0, out, 12288, 67584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
