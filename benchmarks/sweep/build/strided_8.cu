/*
 * The struct sweep, strided 8: records of 24 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b;
	double c;
	float d;
};

/* Every 17th record, 1 of the members read, float. */
__global__ void __launch_bounds__(128) strided_8_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[(size_t)i * 17].b * 3;
	out[i] = (float)(x + k);
}

/* Every 17th record, 3 of the members read, float. */
__global__ void __launch_bounds__(256) strided_8_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[(size_t)i * 17].a;
	k += p[(size_t)i * 17].b * 3;
	x += 0.5f * p[(size_t)i * 17].d;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 14425435 * sizeof(record));
	cudaMemset(p, 0, 14425435 * sizeof(record));
	float *out;
	cudaMalloc(&out, 14425435 * sizeof(float));
	cudaMemset(out, 0, 14425435 * sizeof(float));
	strided_8_a<<<222, 128>>>(p, out, 28370);
	strided_8_a<<<1270, 128>>>(p, out, 162528);
	strided_8_a<<<6368, 128>>>(p, out, 815065);
	strided_8_b<<<107, 256>>>(p, out, 27226);
	strided_8_b<<<742, 256>>>(p, out, 189758);
	strided_8_b<<<3315, 256>>>(p, out, 848555);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
