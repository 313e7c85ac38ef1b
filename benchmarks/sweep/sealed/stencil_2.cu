/*
 * The struct sweep, stencil 2: records of 28 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b[4];
	float c;
	unsigned char d;
};

/* Four neighbours in a plane, 4 of the members read, float. */
__global__ void __launch_bounds__(128) stencil_2_a(const record *p, record *q, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].a;
	x += 0.5f * p[i].b[0];
	x += 0.75f * p[i].b[1];
	x += 0.75f * p[i].b[2];
	x += 0.5f * p[i].b[3];
	x += 1.25f * p[i].c;
	k += p[i].d * 1;
	x += 0.125f * p[i - 1].b[0];
	x += 0.125f * p[i + 1].b[0];
	x += 0.125f * p[i - n].b[0];
	x += 0.125f * p[i + n].b[0];
	q[i].a = (x * 0.5f);
	q[i].b[0] = (x * 0.75f);
	q[i].b[1] = (x * 0.75f);
	q[i].b[2] = (x * 0.75f);
	q[i].b[3] = (x * 0.75f);
}

/* Six neighbours in a box, 2 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_2_b(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	int l = blockIdx.z * blockDim.z + threadIdx.z;
	if (c < 1 || r < 1 || l < 1 || c >= n - 1 || r >= n - 1 || l >= n - 1)
		return;
	int i = (l * n + r) * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[i].b[0];
	x += 1.25f * p[i].b[1];
	x += 0.5f * p[i].b[2];
	x += 1.25f * p[i].b[3];
	x += 0.5f * p[i].c;
	x += 0.0833f * p[i - 1].a;
	x += 0.0833f * p[i + 1].a;
	x += 0.0833f * p[i - n].a;
	x += 0.0833f * p[i + n].a;
	x += 0.0833f * p[i - n * n].a;
	x += 0.0833f * p[i + n * n].a;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16003008 * sizeof(record));
	cudaMemset(p, 0, 16003008 * sizeof(record));
	record *q;
	cudaMalloc(&q, 12517444 * sizeof(record));
	cudaMemset(q, 0, 12517444 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16003008 * sizeof(float));
	cudaMemset(out, 0, 16003008 * sizeof(float));
	stencil_2_a<<<dim3(12, 96), dim3(32, 4)>>>(p, q, 384);
	stencil_2_a<<<dim3(31, 248), dim3(32, 4)>>>(p, q, 992);
	stencil_2_a<<<dim3(111, 885), dim3(32, 4)>>>(p, q, 3538);
	stencil_2_b<<<dim3(1, 8, 16), dim3(32, 4, 2)>>>(p, out, 32);
	stencil_2_b<<<dim3(4, 27, 53), dim3(32, 4, 2)>>>(p, out, 105);
	stencil_2_b<<<dim3(8, 63, 126), dim3(32, 4, 2)>>>(p, out, 252);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
