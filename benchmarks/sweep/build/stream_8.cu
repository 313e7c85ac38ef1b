/*
 * The struct sweep, stream 8: records of 8 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
};

/* Streams records (several), 1 of the members read, float. */
__global__ void __launch_bounds__(128) stream_8_a(const record *p, record *q, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.5f * p[i].a;
			q[i].b = (x * 0.5f);
		}
	}
}

/* Streams records (several), 1 of the members read, float. */
__global__ void __launch_bounds__(256) stream_8_b(record *p, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 1.25f * p[i].a;
			p[i].a = (x * 0.5f);
		}
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 59315843 * sizeof(record));
	cudaMemset(p, 0, 59315843 * sizeof(record));
	record *q;
	cudaMalloc(&q, 24836719 * sizeof(record));
	cudaMemset(q, 0, 24836719 * sizeof(record));
	stream_8_a<<<272, 128>>>(p, q, 139264);
	stream_8_a<<<7278, 128>>>(p, q, 3726336);
	stream_8_a<<<48510, 128>>>(p, q, 24836719);
	stream_8_b<<<1351, 256>>>(p, 1383411);
	stream_8_b<<<6663, 256>>>(p, 6822912);
	stream_8_b<<<57926, 256>>>(p, 59315843);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
