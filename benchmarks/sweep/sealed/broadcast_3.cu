/*
 * The struct sweep, broadcast 3: records of 32 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	double b;
	float c;
	float d;
	double e;
};

/* Every thread reads every record, 1 of the members read, float. */
__global__ void __launch_bounds__(64) broadcast_3_a(const record *p, const float *x0, float *out, int m, int n)
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
		x += 1.25f * (float)p[j].b;
		float d = x - y;
		sum += d * d + 0.5f;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every thread reads every record, 1 of the members read, float. */
__global__ void __launch_bounds__(512) broadcast_3_b(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.75f * p[j].c;
		float d = x - y;
		sum += d * d + 0.5f;
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
	broadcast_3_a<<<256, 64>>>(p, x0, out, 256, 16384);
	broadcast_3_a<<<512, 64>>>(p, x0, out, 5000, 32768);
	broadcast_3_a<<<1056, 64>>>(p, x0, out, 16384, 67584);
	broadcast_3_b<<<32, 512>>>(p, x0, out, 256, 16384);
	broadcast_3_b<<<132, 512>>>(p, x0, out, 2048, 67584);
	broadcast_3_b<<<132, 512>>>(p, x0, out, 12288, 67584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
