/*
 * The struct sweep, stream 0: records of 36 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d[2];
	unsigned char e;
	int f;
	int g;
	float h;
};

/* Streams records (several), 8 of the members read, float. */
__global__ void __launch_bounds__(256) stream_0_a(const record *p, record *q, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 0.75f * p[i].a;
			x += 1.25f * p[i].b;
			x += 0.5f * p[i].c;
			x += 0.5f * p[i].d[0];
			x += 0.75f * p[i].d[1];
			k += p[i].e * 5;
			k += p[i].f * 3;
			k += p[i].g * 3;
			x += 0.75f * p[i].h;
			q[i].a = (x * 0.5f);
			q[i].b = (x * 0.75f);
			q[i].c = (x * 1.0f);
			q[i].d[0] = (x * 1.25f);
			q[i].d[1] = (x * 1.25f);
			q[i].e = (unsigned char)((k + 4) & 127);
			q[i].f = (int)((k + 5));
			q[i].g = (int)((k + 6));
			q[i].h = (x * 1.25f);
		}
	}
}

/* Streams records (striding), 1 of the members read, float. */
__global__ void __launch_bounds__(64) stream_0_b(record *p, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		k += p[i].e * 1;
		p[i].b = (x * 0.5f);
		p[i].e = (unsigned char)((k + 1) & 127);
		p[i].g = (int)((k + 2));
		p[i].h = (x * 1.25f);
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 12940288 * sizeof(record));
	cudaMemset(p, 0, 12940288 * sizeof(record));
	record *q;
	cudaMalloc(&q, 4097024 * sizeof(record));
	cudaMemset(q, 0, 4097024 * sizeof(record));
	stream_0_a<<<50, 256>>>(p, q, 51200);
	stream_0_a<<<438, 256>>>(p, q, 448512);
	stream_0_a<<<4001, 256>>>(p, q, 4097024);
	stream_0_b<<<528, 64>>>(p, 237568);
	stream_0_b<<<528, 64>>>(p, 982741);
	stream_0_b<<<1056, 64>>>(p, 12940288);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
