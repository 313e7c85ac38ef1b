/*
 * The struct sweep, broadcast 2: records of 24 bytes, 6 members. Written by generate.py.
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
};

/* Every thread reads every record, 4 of the members read, float. */
__global__ void __launch_bounds__(256) broadcast_2_a(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.5f * p[j].c;
		x += 1.25f * p[j].d;
		x += 1.25f * p[j].e;
		x += 1.25f * p[j].f;
		float d = x - y;
		sum += d * d + 0.5f;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every thread reads every record, 2 of the members read, float. */
__global__ void __launch_bounds__(32) broadcast_2_b(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.5f * p[j].b;
		x += 1.25f * p[j].d;
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
	broadcast_2_a<<<64, 256>>>(p, x0, out, 256, 16384);
	broadcast_2_a<<<264, 256>>>(p, x0, out, 5000, 67584);
	broadcast_2_a<<<264, 256>>>(p, x0, out, 16384, 67584);
	broadcast_2_b<<<512, 32>>>(p, x0, out, 512, 16384);
	broadcast_2_b<<<1024, 32>>>(p, x0, out, 5000, 32768);
	broadcast_2_b<<<2112, 32>>>(p, x0, out, 12288, 67584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
