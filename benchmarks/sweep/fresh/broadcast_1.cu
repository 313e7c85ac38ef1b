/*
 * The struct sweep, broadcast 1: records of 84 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b[2];
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l[3];
	float m;
	float n[2];
	float o;
	float p[2];
};

/* Every thread reads every record, 16 of the members read, float. */
__global__ void __launch_bounds__(32) broadcast_1_a(const record *p, const float *x0, float *out, int m, int n)
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
		x += 1.25f * p[j].a;
		x += 1.25f * p[j].b[0];
		x += 1.25f * p[j].b[1];
		x += 0.5f * p[j].c;
		x += 0.5f * p[j].d;
		x += 0.5f * p[j].e;
		x += 0.5f * p[j].f;
		x += 0.75f * p[j].g;
		x += 0.75f * p[j].h;
		x += 0.75f * p[j].i;
		x += 0.5f * p[j].j;
		x += 0.75f * p[j].k;
		x += 0.75f * p[j].l[0];
		x += 1.25f * p[j].l[1];
		x += 1.25f * p[j].l[2];
		x += 0.5f * p[j].m;
		x += 1.25f * p[j].n[0];
		x += 1.25f * p[j].n[1];
		x += 0.5f * p[j].o;
		x += 0.5f * p[j].p[0];
		x += 0.75f * p[j].p[1];
		float d = x - y;
		sum += d * d + 0.5f;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every thread reads every record, 12 of the members read, float. */
__global__ void __launch_bounds__(512) broadcast_1_b(const record *p, const float *x0, float *out, int m, int n)
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
		x += 0.75f * p[j].a;
		x += 0.75f * p[j].c;
		x += 1.25f * p[j].e;
		x += 0.5f * p[j].f;
		x += 1.25f * p[j].g;
		x += 1.25f * p[j].h;
		x += 0.5f * p[j].i;
		x += 0.75f * p[j].j;
		x += 1.25f * p[j].k;
		x += 0.5f * p[j].n[0];
		x += 0.75f * p[j].n[1];
		x += 0.5f * p[j].o;
		x += 0.75f * p[j].p[0];
		x += 0.75f * p[j].p[1];
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
	broadcast_1_a<<<512, 32>>>(p, x0, out, 256, 16384);
	broadcast_1_a<<<2112, 32>>>(p, x0, out, 5000, 67584);
	broadcast_1_a<<<2112, 32>>>(p, x0, out, 12288, 67584);
	broadcast_1_b<<<32, 512>>>(p, x0, out, 512, 16384);
	broadcast_1_b<<<132, 512>>>(p, x0, out, 5000, 67584);
	broadcast_1_b<<<132, 512>>>(p, x0, out, 12288, 67584);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
