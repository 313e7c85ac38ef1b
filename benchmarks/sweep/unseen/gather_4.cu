/*
 * The struct sweep, gather 4: records of 12 bytes, 2 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[2];
	float b;
};

/* Records gathered by a list, 2 of the members read, float. */
__global__ void __launch_bounds__(128) gather_4_a(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a[0];
	x += 0.75f * p[j].a[1];
	x += 0.75f * p[j].b;
	out[i] = (float)(x + k);
}

/* Records gathered within 1024 neighbours, 2 of the members read, float. */
__global__ void __launch_bounds__(192) gather_4_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a[0];
	x += 0.5f * p[j].a[1];
	x += 1.25f * p[j].b;
	q[i].a[0] = (x * 0.5f);
	q[i].a[1] = (x * 0.5f);
	q[i].b = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 16777216 * sizeof(record));
	cudaMemset(p, 0, 16777216 * sizeof(record));
	float *out;
	cudaMalloc(&out, 16777216 * sizeof(float));
	cudaMemset(out, 0, 16777216 * sizeof(float));
	int *place;
	cudaMalloc(&place, 16777216 * sizeof(int));
	cudaMemset(place, 0, 16777216 * sizeof(int));
	record *q;
	cudaMalloc(&q, 8388608 * sizeof(record));
	cudaMemset(q, 0, 8388608 * sizeof(record));
	gather_4_a<<<6696, 128>>>(p, out, place, 857088);
	gather_4_a<<<58064, 128>>>(p, out, place, 7432192);
	gather_4_a<<<131072, 128>>>(p, out, place, 16777216);
	gather_4_b<<<1366, 192>>>(p, q, 262144);
	gather_4_b<<<5462, 192>>>(p, q, 1048576);
	gather_4_b<<<43691, 192>>>(p, q, 8388608);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
