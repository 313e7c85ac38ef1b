/*
 * The struct sweep, strided 0: records of 44 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e[2];
	float f[3];
	float g;
	float h;
};

/* Every 8th record, 8 of the members read, float, 12 times sine. */
__global__ void __launch_bounds__(128) strided_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[(size_t)i * 8].a;
	x += 1.25f * p[(size_t)i * 8].b;
	x += 0.75f * p[(size_t)i * 8].c;
	x += 1.25f * p[(size_t)i * 8].d;
	x += 1.25f * p[(size_t)i * 8].e[0];
	x += 0.75f * p[(size_t)i * 8].e[1];
	x += 0.75f * p[(size_t)i * 8].f[0];
	x += 0.75f * p[(size_t)i * 8].f[1];
	x += 1.25f * p[(size_t)i * 8].g;
	x += 0.75f * p[(size_t)i * 8].h;
	for (int r = 0; r < 12; r++)
		x = 1.0f + 0.5f * sinf(x);
	out[i] = (float)(x + k);
}

/* Every 8th record, 8 of the members read, float. */
__global__ void __launch_bounds__(192) strided_0_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[(size_t)i * 8].a;
	x += 0.75f * p[(size_t)i * 8].b;
	x += 1.25f * p[(size_t)i * 8].c;
	x += 0.5f * p[(size_t)i * 8].d;
	x += 1.25f * p[(size_t)i * 8].e[0];
	x += 0.5f * p[(size_t)i * 8].e[1];
	x += 0.5f * p[(size_t)i * 8].f[0];
	x += 0.75f * p[(size_t)i * 8].f[1];
	x += 1.25f * p[(size_t)i * 8].f[2];
	x += 0.5f * p[(size_t)i * 8].g;
	x += 0.75f * p[(size_t)i * 8].h;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 10343392 * sizeof(record));
	cudaMemset(p, 0, 10343392 * sizeof(record));
	float *out;
	cudaMalloc(&out, 10343392 * sizeof(float));
	cudaMemset(out, 0, 10343392 * sizeof(float));
	strided_0_a<<<236, 128>>>(p, out, 30207);
	strided_0_a<<<1418, 128>>>(p, out, 181504);
	strided_0_a<<<10101, 128>>>(p, out, 1292924);
	strided_0_b<<<165, 192>>>(p, out, 31491);
	strided_0_b<<<1314, 192>>>(p, out, 252263);
	strided_0_b<<<4468, 192>>>(p, out, 857856);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
