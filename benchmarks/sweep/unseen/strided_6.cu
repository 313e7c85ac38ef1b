/*
 * The struct sweep, strided 6: records of 28 bytes, 7 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b;
	float c;
	float d;
	int e;
	float f;
	float g;
};

/* Each thread a run of 32 records, 1 of the members read, float, 24 times sine. */
__global__ void __launch_bounds__(128) strided_6_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 32; r++) {
		int j = i * 32 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[j].d;
		for (int r = 0; r < 24; r++)
			x = 1.0f + 0.5f * sinf(x);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a row of a matrix of records, 1 of the members read, float. */
__global__ void __launch_bounds__(512) strided_6_b(const record *p, float *out, int n)
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
		x += 0.75f * p[j].f;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 15453184 * sizeof(record));
	cudaMemset(p, 0, 15453184 * sizeof(record));
	float *out;
	cudaMalloc(&out, 15453184 * sizeof(float));
	cudaMemset(out, 0, 15453184 * sizeof(float));
	strided_6_a<<<103, 128>>>(p, out, 13120);
	strided_6_a<<<388, 128>>>(p, out, 49664);
	strided_6_a<<<3773, 128>>>(p, out, 482912);
	strided_6_b<<<2, 512>>>(p, out, 776);
	strided_6_b<<<23, 512>>>(p, out, 11648);
	strided_6_b<<<62, 512>>>(p, out, 31368);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
