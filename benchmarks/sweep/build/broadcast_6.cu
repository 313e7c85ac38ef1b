/*
 * The struct sweep, broadcast 6: records of 88 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	double b;
	float c;
	float d;
	float e;
	int f;
	int g;
	float h;
	short i;
	float j;
	float k;
	double l;
	int m;
	int n;
	unsigned char o;
	double p;
};

/* Every thread reads every record, 4 of the members read, double. */
__global__ void __launch_bounds__(96) broadcast_6_a(const record *p, const float *x0, float *out, int m, int n)
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
		x += 1.25 * p[j].e;
		x += 0.75 * p[j].j;
		x += 0.5 * p[j].l;
		k += p[j].o * 5;
		double d = x - y;
		sum += d * d + 0.5;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every thread reads every record, 16 of the members read, float. */
__global__ void __launch_bounds__(128) broadcast_6_b(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.5f * p[j].a;
		x += 0.5f * (float)p[j].b;
		x += 0.5f * p[j].c;
		x += 0.5f * p[j].d;
		x += 1.25f * p[j].e;
		k += p[j].f * 3;
		k += p[j].g * 1;
		x += 1.25f * p[j].h;
		k += p[j].i * 5;
		x += 0.75f * p[j].j;
		x += 0.5f * p[j].k;
		x += 1.25f * (float)p[j].l;
		k += p[j].m * 5;
		k += p[j].n * 1;
		k += p[j].o * 3;
		x += 1.25f * (float)p[j].p;
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
	broadcast_6_a<<<171, 96>>>(p, x0, out, 512, 16384);
	broadcast_6_a<<<704, 96>>>(p, x0, out, 5000, 67584);
	broadcast_6_a<<<704, 96>>>(p, x0, out, 16384, 67584);
	broadcast_6_b<<<128, 128>>>(p, x0, out, 256, 16384);
	broadcast_6_b<<<528, 128>>>(p, x0, out, 2048, 67584);
	broadcast_6_b<<<528, 128>>>(p, x0, out, 16384, 67584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
