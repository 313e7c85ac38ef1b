/*
 * The struct sweep, stream 0: records of 12 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
};

/* Streams records (striding), 2 of the members read, float. */
__global__ void __launch_bounds__(384) stream_0_a(record *p, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].b;
		x += 1.25f * p[i].c;
		p[i].a = (x * 0.5f);
		p[i].c = (x * 0.75f);
	}
}

/* Streams records (several), 3 of the members read, float. */
__global__ void __launch_bounds__(512) stream_0_b(const record *p, record *q, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.75f * p[i].a;
			x += 0.5f * p[i].b;
			x += 0.5f * p[i].c;
			q[i].a = (x * 0.5f);
			q[i].c = (x * 0.75f);
		}
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 43801600 * sizeof(record));
	cudaMemset(p, 0, 43801600 * sizeof(record));
	record *q;
	cudaMalloc(&q, 20271104 * sizeof(record));
	cudaMemset(q, 0, 20271104 * sizeof(record));
	stream_0_a<<<1056, 384>>>(p, 864256);
	stream_0_a<<<1056, 384>>>(p, 5687296);
	stream_0_a<<<1056, 384>>>(p, 43801600);
	stream_0_b<<<200, 512>>>(p, q, 408576);
	stream_0_b<<<1304, 512>>>(p, q, 2669246);
	stream_0_b<<<9898, 512>>>(p, q, 20271104);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
