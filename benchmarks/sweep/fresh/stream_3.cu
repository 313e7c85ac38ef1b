/*
 * The struct sweep, stream 3: records of 72 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	int b;
	float c;
	float d;
	float e;
	float f;
	short g;
	float h;
	float i;
	unsigned char j;
	float k;
	float l;
	int m;
	int n;
	int o;
	float p;
};

/* Streams records (guarded), 8 of the members read, float. */
__global__ void __launch_bounds__(1024) stream_3_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	k += p[i].b * 1;
	x += 0.75f * p[i].c;
	x += 1.25f * p[i].d;
	x += 1.25f * p[i].f;
	x += 0.75f * p[i].i;
	x += 0.5f * p[i].k;
	x += 0.5f * p[i].l;
	k += p[i].m * 5;
	out[i] = (float)(x + k);
}

/* Streams records (striding), 16 of the members read, float. */
__global__ void __launch_bounds__(96) stream_3_b(const record *p, record *q, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		x += 0.75f * (float)p[i].a;
		k += p[i].b * 5;
		x += 1.25f * p[i].c;
		x += 0.5f * p[i].d;
		x += 0.5f * p[i].e;
		x += 0.5f * p[i].f;
		k += p[i].g * 3;
		x += 0.5f * p[i].h;
		x += 0.5f * p[i].i;
		k += p[i].j * 5;
		x += 0.75f * p[i].k;
		x += 0.5f * p[i].l;
		k += p[i].m * 1;
		k += p[i].n * 3;
		k += p[i].o * 3;
		x += 0.5f * p[i].p;
		q[i].f = (x * 0.5f);
		q[i].h = (x * 0.75f);
		q[i].i = (x * 1.0f);
		q[i].j = (unsigned char)((k + 3) & 127);
	}
}

int main()
{
	record *p;
	cudaMalloc(&p, 5745664 * sizeof(record));
	cudaMemset(p, 0, 5745664 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5745664 * sizeof(float));
	cudaMemset(out, 0, 5745664 * sizeof(float));
	record *q;
	cudaMalloc(&q, 2403449 * sizeof(record));
	cudaMemset(q, 0, 2403449 * sizeof(record));
	stream_3_a<<<147, 1024>>>(p, out, 150528);
	stream_3_a<<<1068, 1024>>>(p, out, 1092655);
	stream_3_a<<<5611, 1024>>>(p, out, 5745664);
	stream_3_b<<<264, 96>>>(p, q, 29696);
	stream_3_b<<<528, 96>>>(p, q, 293888);
	stream_3_b<<<528, 96>>>(p, q, 2403449);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
