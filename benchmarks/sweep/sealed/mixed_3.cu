/*
 * The struct sweep, mixed 3: records of 36 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f[2];
	float g;
	float h;
};

/* A sum by shuffles and atomic additions, 8 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_3_a(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].a;
		x += 1.25f * p[i].b;
		x += 0.5f * p[i].c;
		x += 1.25f * p[i].d;
		x += 1.25f * p[i].e;
		x += 1.25f * p[i].f[0];
		x += 0.75f * p[i].f[1];
		x += 0.5f * p[i].g;
		x += 1.25f * p[i].h;
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

/* Streams records (several), 6 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_3_b(const record *p, record *q, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 1.25f * p[i].a;
			x += 0.5f * p[i].b;
			x += 0.5f * p[i].d;
			x += 0.75f * p[i].e;
			x += 0.5f * p[i].g;
			x += 0.75f * p[i].h;
			q[i].d = (x * 0.5f);
		}
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 13453312 * sizeof(record));
	cudaMemset(p, 0, 13453312 * sizeof(record));
	float *out;
	cudaMalloc(&out, 13453312 * sizeof(float));
	cudaMemset(out, 0, 13453312 * sizeof(float));
	record *q;
	cudaMalloc(&q, 7811874 * sizeof(record));
	cudaMemset(q, 0, 7811874 * sizeof(record));
	mixed_3_a<<<468, 256>>>(p, out, 119798);
	mixed_3_a<<<528, 256>>>(p, out, 1436672);
	mixed_3_a<<<528, 256>>>(p, out, 13453312);
	mixed_3_b<<<146, 256>>>(p, q, 149504);
	mixed_3_b<<<1227, 256>>>(p, q, 1256448);
	mixed_3_b<<<7629, 256>>>(p, q, 7811874);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
