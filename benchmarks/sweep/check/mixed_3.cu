/*
 * The struct sweep, mixed 3: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Four neighbours in a plane, 1 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_3_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].b;
	x += 0.125f * p[i - 1].b;
	x += 0.125f * p[i + 1].b;
	x += 0.125f * p[i - n].b;
	x += 0.125f * p[i + n].b;
	q[i].b = (x * 0.5f);
}

/* Each thread a row of a matrix of records, 1 of the members read, float, 24 times fma. */
__global__ void __launch_bounds__(96) mixed_3_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 256; r++) {
		int j = i * 256 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[j].b;
		for (int r = 0; r < 24; r++)
			x = x * 0.5f + 0.75f;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 29246464 * sizeof(record));
	cudaMemset(p, 0, 29246464 * sizeof(record));
	record *q;
	cudaMalloc(&q, 29246464 * sizeof(record));
	cudaMemset(q, 0, 29246464 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	mixed_3_a<<<dim3(26, 104), dim3(32, 8)>>>(p, q, 832);
	mixed_3_a<<<dim3(47, 188), dim3(32, 8)>>>(p, q, 1502);
	mixed_3_a<<<dim3(169, 676), dim3(32, 8)>>>(p, q, 5408);
	mixed_3_b<<<34, 96>>>(p, out, 3180);
	mixed_3_b<<<198, 96>>>(p, out, 18916);
	mixed_3_b<<<683, 96>>>(p, out, 65536);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
