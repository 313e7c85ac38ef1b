/*
 * The struct sweep, strided 0: records of 84 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a;
	float b;
	float c;
	float d[4];
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
	float m[3];
	float n;
	float o;
	float p;
};

/* Each thread a run of 7 records, 16 of the members read, float, 6 times sqrt. */
__global__ void __launch_bounds__(384) strided_0_a(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 7; r++) {
		int j = i * 7 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.5f * p[j].a;
		x += 0.75f * p[j].b;
		x += 1.25f * p[j].c;
		x += 0.75f * p[j].d[0];
		x += 1.25f * p[j].d[1];
		x += 0.75f * p[j].e;
		x += 0.75f * p[j].f;
		x += 0.75f * p[j].g;
		x += 0.75f * p[j].h;
		x += 1.25f * p[j].i;
		x += 0.5f * p[j].j;
		x += 0.75f * p[j].k;
		x += 1.25f * p[j].l;
		x += 0.5f * p[j].m[0];
		x += 0.75f * p[j].m[1];
		x += 0.5f * p[j].n;
		x += 0.75f * p[j].o;
		x += 0.5f * p[j].p;
		for (int r = 0; r < 6; r++)
			x = sqrtf(x + 0.5f);
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Every 8th record, 4 of the members read, float. */
__global__ void __launch_bounds__(192) strided_0_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[(size_t)i * 8].e;
	x += 0.5f * p[(size_t)i * 8].i;
	x += 0.5f * p[(size_t)i * 8].m[0];
	x += 0.5f * p[(size_t)i * 8].m[1];
	x += 0.5f * p[(size_t)i * 8].m[2];
	x += 1.25f * p[(size_t)i * 8].n;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 3502080 * sizeof(record));
	cudaMemset(p, 0, 3502080 * sizeof(record));
	float *out;
	cudaMalloc(&out, 3502080 * sizeof(float));
	cudaMemset(out, 0, 3502080 * sizeof(float));
	strided_0_a<<<22, 384>>>(p, out, 8192);
	strided_0_a<<<270, 384>>>(p, out, 103524);
	strided_0_a<<<1216, 384>>>(p, out, 466651);
	strided_0_b<<<29, 192>>>(p, out, 5504);
	strided_0_b<<<647, 192>>>(p, out, 124160);
	strided_0_b<<<2280, 192>>>(p, out, 437760);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
