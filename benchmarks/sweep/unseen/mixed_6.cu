/*
 * The struct sweep, mixed 6: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* A sum by shuffles and atomic additions, 1 of the members read, float. */
__global__ void __launch_bounds__(128) mixed_6_a(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].c;
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

/* Four neighbours in a plane, 3 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_6_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	x += 0.75f * p[i].b;
	x += 1.25f * p[i].c;
	x += 0.125f * p[i - 1].c;
	x += 0.125f * p[i + 1].c;
	x += 0.125f * p[i - n].c;
	x += 0.125f * p[i + n].c;
	q[i].b = (x * 0.5f);
	q[i].c = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 60954556 * sizeof(record));
	cudaMemset(p, 0, 60954556 * sizeof(record));
	float *out;
	cudaMalloc(&out, 60954556 * sizeof(float));
	cudaMemset(out, 0, 60954556 * sizeof(float));
	record *q;
	cudaMalloc(&q, 23658496 * sizeof(record));
	cudaMemset(q, 0, 23658496 * sizeof(record));
	mixed_6_a<<<1056, 128>>>(p, out, 323584);
	mixed_6_a<<<528, 128>>>(p, out, 3005440);
	mixed_6_a<<<528, 128>>>(p, out, 60954556);
	mixed_6_b<<<dim3(6, 96), dim3(64, 4)>>>(p, q, 384);
	mixed_6_b<<<dim3(19, 296), dim3(64, 4)>>>(p, q, 1184);
	mixed_6_b<<<dim3(76, 1216), dim3(64, 4)>>>(p, q, 4864);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
