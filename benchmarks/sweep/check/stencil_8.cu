/*
 * The struct sweep, stencil 8: records of 40 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
};

/* Four neighbours in a plane, 10 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_8_a(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].a;
	x += 0.75f * p[i].b;
	x += 0.75f * p[i].c;
	x += 1.25f * p[i].d;
	x += 0.75f * p[i].e;
	x += 0.75f * p[i].f;
	x += 1.25f * p[i].g;
	x += 0.75f * p[i].h;
	x += 1.25f * p[i].i;
	x += 1.25f * p[i].j;
	x += 0.125f * p[i - 1].a;
	x += 0.125f * p[i + 1].a;
	x += 0.125f * p[i - n].a;
	x += 0.125f * p[i + n].a;
	out[i] = (float)(x + k);
}

/* Four neighbours in a plane, 5 of the members read, float. */
__global__ void __launch_bounds__(256) stencil_8_b(const record *p, float *out, int n)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	int r = blockIdx.y * blockDim.y + threadIdx.y;
	if (c < 1 || r < 1 || c >= n - 1 || r >= n - 1)
		return;
	int i = r * n + c;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].e;
	x += 1.25f * p[i].f;
	x += 1.25f * p[i].g;
	x += 0.75f * p[i].h;
	x += 1.25f * p[i].j;
	x += 0.125f * p[i - 1].c;
	x += 0.125f * p[i + 1].c;
	x += 0.125f * p[i - n].c;
	x += 0.125f * p[i + n].c;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 17305600 * sizeof(record));
	cudaMemset(p, 0, 17305600 * sizeof(record));
	float *out;
	cudaMalloc(&out, 17305600 * sizeof(float));
	cudaMemset(out, 0, 17305600 * sizeof(float));
	stencil_8_a<<<dim3(22, 22), dim3(16, 16)>>>(p, out, 352);
	stencil_8_a<<<dim3(56, 56), dim3(16, 16)>>>(p, out, 896);
	stencil_8_a<<<dim3(240, 240), dim3(16, 16)>>>(p, out, 3840);
	stencil_8_b<<<dim3(7, 112), dim3(64, 4)>>>(p, out, 448);
	stencil_8_b<<<dim3(22, 344), dim3(64, 4)>>>(p, out, 1376);
	stencil_8_b<<<dim3(65, 1040), dim3(64, 4)>>>(p, out, 4160);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
