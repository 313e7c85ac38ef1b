/*
 * The struct sweep, stream 0: records of 4 bytes, 1 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
};

/* Streams records (several), 1 of the members read, float. */
__global__ void __launch_bounds__(32) stream_0_a(record *p, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.5f * p[i].a;
			p[i].a = (x * 0.5f);
		}
	}
}

/* Streams records (several), 1 of the members read, float, 12 times sqrt. */
__global__ void __launch_bounds__(128) stream_0_b(const record *p, record *q, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.75f * p[i].a;
			for (int r = 0; r < 12; r++)
				x = sqrtf(x + 0.5f);
			q[i].a = (x * 0.5f);
		}
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 67108864 * sizeof(record));
	cudaMemset(p, 0, 67108864 * sizeof(record));
	record *q;
	cudaMalloc(&q, 16777216 * sizeof(record));
	cudaMemset(q, 0, 16777216 * sizeof(record));
	stream_0_a<<<12008, 32>>>(p, 1537024);
	stream_0_a<<<167912, 32>>>(p, 21492736);
	stream_0_a<<<524288, 32>>>(p, 67108864);
	stream_0_b<<<1468, 128>>>(p, q, 751616);
	stream_0_b<<<22525, 128>>>(p, q, 11532362);
	stream_0_b<<<32768, 128>>>(p, q, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
