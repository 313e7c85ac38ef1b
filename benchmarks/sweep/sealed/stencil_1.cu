/*
 * The struct sweep, stencil 1: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
};

/* Six neighbours in a box, 2 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_1_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	k += p[i].a * 3;
	x += 0.75f * p[i].b;
	x += 0.0833f * p[i - 1].b;
	x += 0.0833f * p[i + 1].b;
	x += 0.0833f * p[i - n].b;
	x += 0.0833f * p[i + n].b;
	x += 0.0833f * p[i - n * n].b;
	x += 0.0833f * p[i + n * n].b;
	q[i].a = (int)((k + 0));
}

/* Four neighbours in a plane, 2 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_1_b(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	k += p[i].a * 1;
	x += 1.25f * p[i].b;
	x += 0.125f * p[i - 1].b;
	x += 0.125f * p[i + 1].b;
	x += 0.125f * p[i - n].b;
	x += 0.125f * p[i + n].b;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	record *q;
	cudaMalloc(&q, 32768000 * sizeof(record));
	cudaMemset(q, 0, 32768000 * sizeof(record));
	float *out;
	cudaMalloc(&out, 67108864 * sizeof(float));
	cudaMemset(out, 0, 67108864 * sizeof(float));
	stencil_1_a<<<dim3(2, 16, 32), dim3(32, 4, 2)>>>(p, q, 64);
	stencil_1_a<<<dim3(4, 32, 64), dim3(32, 4, 2)>>>(p, q, 128);
	stencil_1_a<<<dim3(10, 80, 160), dim3(32, 4, 2)>>>(p, q, 320);
	stencil_1_b<<<dim3(16, 248), dim3(64, 4)>>>(p, out, 992);
	stencil_1_b<<<dim3(38, 608), dim3(64, 4)>>>(p, out, 2432);
	stencil_1_b<<<dim3(128, 2048), dim3(64, 4)>>>(p, out, 8192);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
