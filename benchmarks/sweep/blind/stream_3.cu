/*
 * The struct sweep, stream 3: records of 100 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d;
	float e;
	float f[4];
	float g;
	float h;
	float i[3];
	float j;
	float k;
	float l[2];
	float m;
	float n;
	float o[3];
	float p[2];
};

/* Streams records (striding), 12 of the members read, float. */
__global__ void __launch_bounds__(256) stream_3_a(const record *p, record *q, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[i].a;
		x += 0.75f * p[i].b;
		x += 0.5f * p[i].c;
		x += 0.5f * p[i].e;
		x += 0.5f * p[i].f[0];
		x += 0.5f * p[i].f[1];
		x += 1.25f * p[i].h;
		x += 0.5f * p[i].i[0];
		x += 1.25f * p[i].i[1];
		x += 0.5f * p[i].j;
		x += 0.5f * p[i].k;
		x += 0.75f * p[i].l[0];
		x += 0.5f * p[i].l[1];
		x += 1.25f * p[i].m;
		x += 0.75f * p[i].p[0];
		x += 1.25f * p[i].p[1];
		q[i].c = (x * 0.5f);
		q[i].g = (x * 0.75f);
		q[i].i[0] = (x * 1.0f);
		q[i].i[1] = (x * 1.0f);
		q[i].i[2] = (x * 1.0f);
		q[i].j = (x * 1.25f);
	}
}

/* Streams records (several), 8 of the members read, float, 6 times divide. */
__global__ void __launch_bounds__(512) stream_3_b(record *p, int n)
{
	for (int r = 0; r < 4; r++) {
		int i = (blockIdx.x * 4 + r) * blockDim.x + threadIdx.x;
		if (i < n) {
			float x = 0.25f;
			int k = 1;
			x += 1.25f * p[i].a;
			x += 0.5f * p[i].c;
			x += 1.25f * p[i].d;
			x += 1.25f * p[i].f[0];
			x += 1.25f * p[i].f[1];
			x += 1.25f * p[i].g;
			x += 0.75f * p[i].j;
			x += 0.75f * p[i].n;
			x += 0.75f * p[i].p[0];
			x += 1.25f * p[i].p[1];
			for (int r = 0; r < 6; r++)
				x = 1.5f / (x + 0.5f);
			p[i].e = (x * 0.5f);
			p[i].f[0] = (x * 0.75f);
			p[i].f[1] = (x * 0.75f);
			p[i].f[2] = (x * 0.75f);
			p[i].f[3] = (x * 0.75f);
			p[i].l[0] = (x * 1.0f);
			p[i].l[1] = (x * 1.0f);
			p[i].o[0] = (x * 1.25f);
			p[i].o[1] = (x * 1.25f);
			p[i].o[2] = (x * 1.25f);
		}
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 3351552 * sizeof(record));
	cudaMemset(p, 0, 3351552 * sizeof(record));
	record *q;
	cudaMalloc(&q, 2857984 * sizeof(record));
	cudaMemset(q, 0, 2857984 * sizeof(record));
	stream_3_a<<<180, 256>>>(p, q, 46080);
	stream_3_a<<<264, 256>>>(p, q, 220160);
	stream_3_a<<<1056, 256>>>(p, q, 2857984);
	stream_3_b<<<17, 512>>>(p, 33792);
	stream_3_b<<<284, 512>>>(p, 580938);
	stream_3_b<<<1637, 512>>>(p, 3351552);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
