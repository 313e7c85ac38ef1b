/*
 * The struct sweep, mixed 1: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned char a;
	float b;
};

/* Each thread a run of 7 records, 1 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(32) mixed_1_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 7; r++) {
		int j = i * 7 + r;
		float x = 0.25f;
		int k = 1;
		k += p[j].a * 3;
		for (int r = 0; r < 6; r++)
			x = sqrtf(x + 0.5f);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Streams records (striding), 1 of the members read, float. */
__global__ void __launch_bounds__(256) mixed_1_b(const record *p, float *out, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[i].b;
		out[i] = (float)(x + k);
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	float *out;
	cudaMalloc(&out, 67108864 * sizeof(float));
	cudaMemset(out, 0, 67108864 * sizeof(float));
	mixed_1_a<<<6501, 32>>>(p, out, 208018);
	mixed_1_a<<<38428, 32>>>(p, out, 1229677);
	mixed_1_a<<<74899, 32>>>(p, out, 2396745);
	mixed_1_b<<<1056, 256>>>(p, out, 1324805);
	mixed_1_b<<<1056, 256>>>(p, out, 8104960);
	mixed_1_b<<<1056, 256>>>(p, out, 67108864);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
