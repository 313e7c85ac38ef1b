/*
 * The struct sweep, stream 2: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	unsigned char b;
	float c;
};

/* Streams records (several), 3 of the members read, float. */
__global__ void __launch_bounds__(1024) stream_2_a(const record *p, float *out, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.5f * p[i].a;
			k += p[i].b * 3;
			x += 0.75f * p[i].c;
			out[i] = (float)(x + k);
		}
	}
}

/* Streams records (several), 3 of the members read, float. */
__global__ void __launch_bounds__(256) stream_2_b(const record *p, float *out, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.75f * p[i].a;
			k += p[i].b * 1;
			x += 0.75f * p[i].c;
			out[i] = (float)(x + k);
		}
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 30433280 * sizeof(record));
	cudaMemset(p, 0, 30433280 * sizeof(record));
	float *out;
	cudaMalloc(&out, 30433280 * sizeof(float));
	cudaMemset(out, 0, 30433280 * sizeof(float));
	stream_2_a<<<173, 1024>>>(p, out, 705536);
	stream_2_a<<<1541, 1024>>>(p, out, 6309888);
	stream_2_a<<<6687, 1024>>>(p, out, 27388928);
	stream_2_b<<<977, 256>>>(p, out, 1000448);
	stream_2_b<<<4197, 256>>>(p, out, 4297008);
	stream_2_b<<<29720, 256>>>(p, out, 30433280);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
