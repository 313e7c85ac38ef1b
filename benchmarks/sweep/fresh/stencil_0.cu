/*
 * The struct sweep, stencil 0: records of 24 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	double b;
	int c;
};

/* Four neighbours in a plane, 3 of the members read, double. */
__global__ void __launch_bounds__(128) stencil_0_a(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	double x = 0.25;
	int k = 1;
	x += 1.25 * p[i].a;
	x += 1.25 * p[i].b;
	k += p[i].c * 1;
	x += 0.125 * p[i - 1].a;
	x += 0.125 * p[i + 1].a;
	x += 0.125 * p[i - n].a;
	x += 0.125 * p[i + n].a;
	out[i] = (float)(x + k);
}

/* Four neighbours in a plane, 1 of the members read, float, 24 times sqrt. */
__global__ void __launch_bounds__(256) stencil_0_b(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].a;
	x += 0.125f * p[i - 1].a;
	x += 0.125f * p[i + 1].a;
	x += 0.125f * p[i - n].a;
	x += 0.125f * p[i + n].a;
	for (int r = 0; r < 24; r++)
		x = sqrtf(x + 0.5f);
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16892100 * sizeof(record));
	cudaMemset(p, 0, 16892100 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16892100 * sizeof(float));
	cudaMemset(out, 0, 16892100 * sizeof(float));
	stencil_0_a<<<dim3(21, 167), dim3(32, 4)>>>(p, out, 667);
	stencil_0_a<<<dim3(50, 400), dim3(32, 4)>>>(p, out, 1600);
	stencil_0_a<<<dim3(129, 1028), dim3(32, 4)>>>(p, out, 4110);
	stencil_0_b<<<dim3(18, 72), dim3(32, 8)>>>(p, out, 576);
	stencil_0_b<<<dim3(45, 178), dim3(32, 8)>>>(p, out, 1423);
	stencil_0_b<<<dim3(128, 512), dim3(32, 8)>>>(p, out, 4096);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
