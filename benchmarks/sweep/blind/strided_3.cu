/*
 * The struct sweep, strided 3: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Every 3th record, 2 of the members read, float. */
__global__ void __launch_bounds__(32) strided_3_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[(size_t)i * 3].a;
	x += 0.5f * p[(size_t)i * 3].b;
	out[i] = (float)(x + k);
}

/* Each thread a run of 16 records, 2 of the members read, float. */
__global__ void __launch_bounds__(128) strided_3_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 16; r++) {
		int j = i * 16 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[j].a;
		x += 1.25f * p[j].b;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 42311680 * sizeof(record));
	cudaMemset(p, 0, 42311680 * sizeof(record));
	float *out;
	cudaMalloc(&out, 42311680 * sizeof(float));
	cudaMemset(out, 0, 42311680 * sizeof(float));
	strided_3_a<<<15435, 32>>>(p, out, 493909);
	strided_3_a<<<56363, 32>>>(p, out, 1803605);
	strided_3_a<<<438230, 32>>>(p, out, 14023338);
	strided_3_b<<<404, 128>>>(p, out, 51648);
	strided_3_b<<<2130, 128>>>(p, out, 272640);
	strided_3_b<<<20660, 128>>>(p, out, 2644480);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
