/*
 * The struct sweep, mixed 7: records of 48 bytes, 8 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	int b;
	float c;
	float d;
	double e;
	float f;
	double g;
	float h;
};

/* Each thread a row of a matrix of records, 2 of the members read, float. */
__global__ void __launch_bounds__(64) mixed_7_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 256; r++) {
		int j = i * 256 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.75f * p[j].a;
		x += 1.25f * p[j].c;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Records gathered by a list, 6 of the members read, float, 24 times sine. */
__global__ void __launch_bounds__(32) mixed_7_b(const record *p, record *q, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 0.75f * p[j].a;
	k += p[j].b * 5;
	x += 0.75f * p[j].c;
	x += 0.75f * (float)p[j].e;
	x += 0.5f * p[j].f;
	x += 1.25f * (float)p[j].g;
	for (int r = 0; r < 24; r++)
		x = 1.0f + 0.5f * sinf(x);
	q[i].c = (x * 0.5f);
	q[i].d = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 5511936 * sizeof(record));
	cudaMemset(p, 0, 5511936 * sizeof(record));
	float *out;
	cudaMalloc(&out, 5511936 * sizeof(float));
	cudaMemset(out, 0, 5511936 * sizeof(float));
	record *q;
	cudaMalloc(&q, 4304896 * sizeof(record));
	cudaMemset(q, 0, 4304896 * sizeof(record));
	int *place;
	cudaMalloc(&place, 4304896 * sizeof(int));
	cudaMemset(place, 0, 4304896 * sizeof(int));
	mixed_7_a<<<14, 64>>>(p, out, 860);
	mixed_7_a<<<70, 64>>>(p, out, 4436);
	mixed_7_a<<<337, 64>>>(p, out, 21531);
	mixed_7_b<<<3072, 32>>>(p, q, place, 98304);
	mixed_7_b<<<28096, 32>>>(p, q, place, 899072);
	mixed_7_b<<<134528, 32>>>(p, q, place, 4304896);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
