/*
 * What an operation costs: loops of 512 of one kind that depend on each other, with one warp on each SM and with 64.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define ROUNDS 512

__global__ void float_add(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = v + x;
	values[i] = v;
}

__global__ void float_multiply(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = v * x;
	values[i] = v;
}

__global__ void float_fma(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = v * x + y;
	values[i] = v;
}

__global__ void float_reciprocal(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = 1.0f / v;
	values[i] = v;
}

__global__ void float_fast_reciprocal(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = __frcp_rn(v);
	values[i] = v;
}

__global__ void float_rsqrt(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = rsqrtf(v) + x;
	values[i] = v;
}

__global__ void float_fast_log(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = __logf(v) + 2.0f;
	values[i] = v;
}

__global__ void float_fast_sine(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = __sinf(v) + x;
	values[i] = v;
}

__global__ void float_fast_exp(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = __expf(v) * 0.25f;
	values[i] = v;
}

__global__ void float_sine(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = sinf(v) + x;
	values[i] = v;
}

__global__ void float_sqrt(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = sqrtf(v) + x;
	values[i] = v;
}

__global__ void float_divide(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = x / (v + y);
	values[i] = v;
}

__global__ void float_fast_divide(float *values, float x, float y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = __fdividef(x, v + y);
	values[i] = v;
}

__global__ void integer_add(int *values, int x, int y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = v + x ^ y;
	values[i] = v;
}

__global__ void integer_bits(int *values, int x, int y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = (v & x) ^ y;
	values[i] = v;
}

__global__ void integer_compare(int *values, int x, int y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = v < x ? v + y : v - x;
	values[i] = v;
}

__global__ void integer_minimum(int *values, int x, int y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = min(v, x) + max(v, y);
	values[i] = v;
}

__global__ void integer_multiply(int *values, int x, int y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = v * x + y;
	values[i] = v;
}

__global__ void integer_divide(int *values, int x, int y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = 1000000007 / (v + x);
	values[i] = v;
}

__global__ void integer_remainder(int *values, int x, int y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = 1000000007 % (v + x) + y;
	values[i] = v;
}

__global__ void integer_shift(int *values, int x, int y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	int v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = (v >> 3) + x;
	values[i] = v;
}

__global__ void double_add(double *values, double x, double y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = v + x;
	values[i] = v;
}

__global__ void double_fma(double *values, double x, double y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = v * x + y;
	values[i] = v;
}

__global__ void double_divide(double *values, double x, double y)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	double v = values[i];
	for (int r = 0; r < ROUNDS; r++)
		v = x / (v + y);
	values[i] = v;
}

int main()
{
	float *f;
	int *n;
	double *d;
	cudaMalloc(&f, 270336 * sizeof(float));
	cudaMalloc(&n, 270336 * sizeof(int));
	cudaMalloc(&d, 270336 * sizeof(double));
	cudaMemset(f, 0, 270336 * sizeof(float));
	cudaMemset(n, 0, 270336 * sizeof(int));
	cudaMemset(d, 0, 270336 * sizeof(double));
	float_add<<<132, 32>>>(f, 1.25f, 0.75f);
	float_add<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_multiply<<<132, 32>>>(f, 1.25f, 0.75f);
	float_multiply<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_fma<<<132, 32>>>(f, 1.25f, 0.75f);
	float_fma<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_reciprocal<<<132, 32>>>(f, 1.25f, 0.75f);
	float_reciprocal<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_fast_reciprocal<<<132, 32>>>(f, 1.25f, 0.75f);
	float_fast_reciprocal<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_rsqrt<<<132, 32>>>(f, 1.25f, 0.75f);
	float_rsqrt<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_fast_log<<<132, 32>>>(f, 1.25f, 0.75f);
	float_fast_log<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_fast_sine<<<132, 32>>>(f, 1.25f, 0.75f);
	float_fast_sine<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_fast_exp<<<132, 32>>>(f, 1.25f, 0.75f);
	float_fast_exp<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_sine<<<132, 32>>>(f, 1.25f, 0.75f);
	float_sine<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_sqrt<<<132, 32>>>(f, 1.25f, 0.75f);
	float_sqrt<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_divide<<<132, 32>>>(f, 1.25f, 0.75f);
	float_divide<<<1056, 256>>>(f, 1.25f, 0.75f);
	float_fast_divide<<<132, 32>>>(f, 1.25f, 0.75f);
	float_fast_divide<<<1056, 256>>>(f, 1.25f, 0.75f);
	integer_add<<<132, 32>>>(n, 3, 5);
	integer_add<<<1056, 256>>>(n, 3, 5);
	integer_bits<<<132, 32>>>(n, 3, 5);
	integer_bits<<<1056, 256>>>(n, 3, 5);
	integer_compare<<<132, 32>>>(n, 3, 5);
	integer_compare<<<1056, 256>>>(n, 3, 5);
	integer_minimum<<<132, 32>>>(n, 3, 5);
	integer_minimum<<<1056, 256>>>(n, 3, 5);
	integer_multiply<<<132, 32>>>(n, 3, 5);
	integer_multiply<<<1056, 256>>>(n, 3, 5);
	integer_divide<<<132, 32>>>(n, 3, 5);
	integer_divide<<<1056, 256>>>(n, 3, 5);
	integer_remainder<<<132, 32>>>(n, 3, 5);
	integer_remainder<<<1056, 256>>>(n, 3, 5);
	integer_shift<<<132, 32>>>(n, 3, 5);
	integer_shift<<<1056, 256>>>(n, 3, 5);
	double_add<<<132, 32>>>(d, 1.25, 0.75);
	double_add<<<1056, 256>>>(d, 1.25, 0.75);
	double_fma<<<132, 32>>>(d, 1.25, 0.75);
	double_fma<<<1056, 256>>>(d, 1.25, 0.75);
	double_divide<<<132, 32>>>(d, 1.25, 0.75);
	double_divide<<<1056, 256>>>(d, 1.25, 0.75);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
