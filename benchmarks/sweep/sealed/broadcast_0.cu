/*
 * The struct sweep, broadcast 0: records of 20 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[4];
	float b;
};

/* Every thread reads every record, 2 of the members read, float. */
__global__ void __launch_bounds__(64) broadcast_0_a(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.75f * p[j].a[0];
		x += 0.75f * p[j].a[1];
		x += 0.75f * p[j].a[2];
		x += 0.75f * p[j].a[3];
		x += 0.5f * p[j].b;
		float d = x - y;
		sum += d * d + 0.5f;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every thread reads every record, 2 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(384) broadcast_0_b(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.5f * p[j].a[0];
		x += 0.5f * p[j].a[1];
		x += 1.25f * p[j].b;
		for (int r = 0; r < 6; r++)
			x = sqrtf(x + 0.5f);
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
	broadcast_0_a<<<256, 64>>>(p, x0, out, 512, 16384);
	broadcast_0_a<<<512, 64>>>(p, x0, out, 5000, 32768);
	broadcast_0_a<<<1056, 64>>>(p, x0, out, 12288, 67584);
	broadcast_0_b<<<43, 384>>>(p, x0, out, 512, 16384);
	broadcast_0_b<<<86, 384>>>(p, x0, out, 2048, 32768);
	broadcast_0_b<<<176, 384>>>(p, x0, out, 16384, 67584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
