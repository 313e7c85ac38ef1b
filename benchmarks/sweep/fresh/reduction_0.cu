/*
 * The struct sweep, reduction 0: records of 64 bytes, 12 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned char a;
	float b;
	float c;
	unsigned char d;
	double e;
	float f;
	float g;
	short h;
	float i[2];
	float j;
	double k;
	float l;
};

/* A sum by shuffles and atomic additions, 6 of the members read, float, 24 times sine. */
__global__ void __launch_bounds__(256) reduction_0_a(const record *p, float *out, int n)
{
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 1.25f * p[i].b;
		x += 0.75f * (float)p[i].e;
		x += 1.25f * p[i].f;
		x += 0.5f * p[i].g;
		x += 0.5f * (float)p[i].k;
		x += 0.75f * p[i].l;
		for (int r = 0; r < 24; r++)
			x = 1.0f + 0.5f * sinf(x);
		sum += (float)(x + k);
	}
	for (int offset = 16; offset > 0; offset >>= 1)
		sum += __shfl_down_sync(0xffffffff, sum, offset);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(out, sum);
}

/* Block sums, a record per thread, 12 of the members read, double, 16 accumulators, 48 rounds. */
__global__ void __launch_bounds__(128) reduction_0_b(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		double x = 0.25;
		int k = 1;
		k += p[i].a * 1;
		x += 0.5 * p[i].b;
		x += 0.75 * p[i].c;
		k += p[i].d * 1;
		x += 0.75 * p[i].e;
		x += 0.75 * p[i].f;
		x += 0.5 * p[i].g;
		k += p[i].h * 3;
		x += 0.75 * p[i].i[0];
		x += 0.75 * p[i].i[1];
		x += 1.25 * p[i].j;
		x += 1.25 * p[i].k;
		x += 0.75 * p[i].l;
		double t[16];
#pragma unroll
		for (int s = 0; s < 16; s++)
			t[s] = x + 0.125 * s;
		for (int r = 0; r < 48; r++)
#pragma unroll
			for (int s = 0; s < 16; s++)
				t[s] = t[s] * 0.5 + t[(s + 1) % 16] * 0.25;
		x = 0.0;
#pragma unroll
		for (int s = 0; s < 16; s++)
			x += t[s];
		sum += (float)(x + k);
	}
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int s = 64; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

int main()
{
	record *p;
	cudaMalloc(&p, 7875741 * sizeof(record));
	cudaMemset(p, 0, 7875741 * sizeof(record));
	float *out;
	cudaMalloc(&out, 7875741 * sizeof(float));
	cudaMemset(out, 0, 7875741 * sizeof(float));
	reduction_0_a<<<476, 256>>>(p, out, 121856);
	reduction_0_a<<<528, 256>>>(p, out, 538624);
	reduction_0_a<<<264, 256>>>(p, out, 7875741);
	reduction_0_b<<<854, 128>>>(p, out, 109287);
	reduction_0_b<<<9910, 128>>>(p, out, 1268395);
	reduction_0_b<<<32768, 128>>>(p, out, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
