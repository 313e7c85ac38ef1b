/*
 * The struct sweep, stencil 0: records of 24 bytes, 5 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e[2];
};

/* Four neighbours in a plane, 2 of the members read, float, 24 times sine. */
__global__ void __launch_bounds__(256) stencil_0_a(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].b;
	x += 1.25f * p[i].c;
	x += 0.125f * p[i - 1].d;
	x += 0.125f * p[i + 1].d;
	x += 0.125f * p[i - n].d;
	x += 0.125f * p[i + n].d;
	for (int r = 0; r < 24; r++)
		x = 1.0f + 0.5f * sinf(x);
	out[i] = (float)(x + k);
}

/* Four neighbours in a plane, 5 of the members read, float, 6 times divide. */
__global__ void __launch_bounds__(256) stencil_0_b(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 0.5f * p[i].b;
	x += 0.75f * p[i].c;
	x += 0.75f * p[i].d;
	x += 0.5f * p[i].e[0];
	x += 1.25f * p[i].e[1];
	x += 0.125f * p[i - 1].e[0];
	x += 0.125f * p[i + 1].e[0];
	x += 0.125f * p[i - n].e[0];
	x += 0.125f * p[i + n].e[0];
	for (int r = 0; r < 6; r++)
		x = 1.5f / (x + 0.5f);
	q[i].c = (x * 0.5f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	record *q;
	cudaMalloc(&q, 9048064 * sizeof(record));
	cudaMemset(q, 0, 9048064 * sizeof(record));
	stencil_0_a<<<dim3(14, 55), dim3(32, 8)>>>(p, out, 434);
	stencil_0_a<<<dim3(41, 164), dim3(32, 8)>>>(p, out, 1312);
	stencil_0_a<<<dim3(128, 512), dim3(32, 8)>>>(p, out, 4096);
	stencil_0_b<<<dim3(14, 53), dim3(32, 8)>>>(p, q, 423);
	stencil_0_b<<<dim3(37, 148), dim3(32, 8)>>>(p, q, 1184);
	stencil_0_b<<<dim3(94, 376), dim3(32, 8)>>>(p, q, 3008);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
