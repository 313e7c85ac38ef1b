/*
 * The struct sweep, stream 3: records of 40 bytes, 10 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	unsigned char a;
	float b;
	float c;
	float d;
	float e;
	float f;
	short g;
	float h;
	short i;
	float j;
};

/* Streams records (several), 1 of the members read, float. */
__global__ void __launch_bounds__(128) stream_3_a(const record *p, record *q, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.5f * p[i].j;
			q[i].b = (x * 0.5f);
			q[i].g = (short)((k + 1) & 16383);
		}
	}
}

/* Streams records (guarded), 2 of the members read, float. */
__global__ void __launch_bounds__(1024) stream_3_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[i].d;
	x += 0.5f * p[i].e;
	q[i].f = (x * 0.5f);
	q[i].i = (short)((k + 1) & 16383);
}

int main()
{
	record *p;
	cudaMalloc(&p, 9046016 * sizeof(record));
	cudaMemset(p, 0, 9046016 * sizeof(record));
	record *q;
	cudaMalloc(&q, 9046016 * sizeof(record));
	cudaMemset(q, 0, 9046016 * sizeof(record));
	stream_3_a<<<230, 128>>>(p, q, 117760);
	stream_3_a<<<1498, 128>>>(p, q, 766976);
	stream_3_a<<<17668, 128>>>(p, q, 9046016);
	stream_3_b<<<137, 1024>>>(p, q, 140288);
	stream_3_b<<<541, 1024>>>(p, q, 553984);
	stream_3_b<<<7264, 1024>>>(p, q, 7437512);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
