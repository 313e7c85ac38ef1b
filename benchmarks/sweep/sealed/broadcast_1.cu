/*
 * The struct sweep, broadcast 1: records of 52 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d[3];
	float e;
	float f;
	float g;
	float h;
	float i[2];
	float j;
};

/* Every thread reads every record, 2 of the members read, float, 6 times divide. */
__global__ void __launch_bounds__(128) broadcast_1_a(const record *p, const float *x0, float *out, int m, int n)
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
		x += 1.25f * p[j].b;
		x += 0.75f * p[j].f;
		for (int r = 0; r < 6; r++)
			x = 1.5f / (x + 0.5f);
		float d = x - y;
		sum += d * d + 0.5f;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every thread reads every record, 5 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(256) broadcast_1_b(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.5f * p[j].e;
		x += 0.75f * p[j].g;
		x += 1.25f * p[j].h;
		x += 0.5f * p[j].i[0];
		x += 0.5f * p[j].i[1];
		x += 0.5f * p[j].j;
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
	broadcast_1_a<<<128, 128>>>(p, x0, out, 512, 16384);
	broadcast_1_a<<<528, 128>>>(p, x0, out, 2048, 67584);
	broadcast_1_a<<<528, 128>>>(p, x0, out, 16384, 67584);
	broadcast_1_b<<<64, 256>>>(p, x0, out, 512, 16384);
	broadcast_1_b<<<264, 256>>>(p, x0, out, 5000, 67584);
	broadcast_1_b<<<264, 256>>>(p, x0, out, 16384, 67584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
