/*
 * The struct sweep, mixed 0: records of 40 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	short b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	unsigned char j;
};

/* Streams records (guarded), 5 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].d;
	x += 1.25f * p[i].e;
	x += 0.5f * p[i].g;
	x += 0.5f * p[i].h;
	k += p[i].j * 5;
	out[i] = (float)(x + k);
}

/* Four neighbours in a plane, 2 of the members read, float, 48 accumulators, 24 rounds. */
__global__ void __launch_bounds__(128) mixed_0_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 0.5f * p[i].d;
	x += 0.125f * p[i - 1].e;
	x += 0.125f * p[i + 1].e;
	x += 0.125f * p[i - n].e;
	x += 0.125f * p[i + n].e;
	float t[48];
#pragma unroll
	for (int s = 0; s < 48; s++)
		t[s] = x + 0.125f * s;
	for (int r = 0; r < 24; r++)
#pragma unroll
		for (int s = 0; s < 48; s++)
			t[s] = t[s] * 0.5f + t[(s + 1) % 48] * 0.25f;
	x = 0.0f;
#pragma unroll
	for (int s = 0; s < 48; s++)
		x += t[s];
	q[i].b = (short)((k + 0) & 16383);
}

int main()
{
	record *p;
	cudaMalloc(&p, 10033745 * sizeof(record));
	cudaMemset(p, 0, 10033745 * sizeof(record));
	float *out;
	cudaMalloc(&out, 10033745 * sizeof(float));
	cudaMemset(out, 0, 10033745 * sizeof(float));
	record *q;
	cudaMalloc(&q, 4194304 * sizeof(record));
	cudaMemset(q, 0, 4194304 * sizeof(record));
	mixed_0_a<<<364, 256>>>(p, out, 93184);
	mixed_0_a<<<5684, 256>>>(p, out, 1455104);
	mixed_0_a<<<39195, 256>>>(p, out, 10033745);
	mixed_0_b<<<dim3(9, 72), dim3(32, 4)>>>(p, q, 288);
	mixed_0_b<<<dim3(33, 264), dim3(32, 4)>>>(p, q, 1056);
	mixed_0_b<<<dim3(64, 512), dim3(32, 4)>>>(p, q, 2048);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
