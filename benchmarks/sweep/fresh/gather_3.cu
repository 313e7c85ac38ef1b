/*
 * The struct sweep, gather 3: records of 72 bytes, 16 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	float a[3];
	float b;
	float c;
	float d;
	float e;
	float f;
	float g;
	float h;
	float i;
	float j;
	float k;
	float l;
	float m;
	float n;
	float o;
	float p;
};

/* Records gathered by a list, 12 of the members read, float. */
__global__ void __launch_bounds__(256) gather_3_a(const record *p, float *out, const int *place, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = place[i];
	float x = 0.25f;
	int k = 1;
	x += 1.25f * p[j].b;
	x += 0.75f * p[j].c;
	x += 1.25f * p[j].d;
	x += 0.75f * p[j].e;
	x += 0.75f * p[j].h;
	x += 1.25f * p[j].i;
	x += 0.5f * p[j].j;
	x += 0.5f * p[j].k;
	x += 0.75f * p[j].l;
	x += 0.75f * p[j].m;
	x += 0.5f * p[j].n;
	x += 0.75f * p[j].o;
	out[i] = (float)(x + k);
}

/* Records gathered within 1024 neighbours, 16 of the members read, float. */
__global__ void __launch_bounds__(128) gather_3_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	int j = (i & ~1023) + ((i * 389 + 71) & 1023);
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[j].a[0];
	x += 0.5f * p[j].a[1];
	x += 0.5f * p[j].a[2];
	x += 0.5f * p[j].b;
	x += 1.25f * p[j].c;
	x += 0.75f * p[j].d;
	x += 1.25f * p[j].e;
	x += 1.25f * p[j].f;
	x += 0.5f * p[j].g;
	x += 1.25f * p[j].h;
	x += 0.75f * p[j].i;
	x += 0.5f * p[j].j;
	x += 1.25f * p[j].k;
	x += 0.5f * p[j].l;
	x += 0.5f * p[j].m;
	x += 0.5f * p[j].n;
	x += 1.25f * p[j].o;
	x += 0.5f * p[j].p;
	out[i] = (float)(x + k);
}

int main()
{
	record *p;
	cudaMalloc(&p, 4194304 * sizeof(record));
	cudaMemset(p, 0, 4194304 * sizeof(record));
	float *out;
	cudaMalloc(&out, 4194304 * sizeof(float));
	cudaMemset(out, 0, 4194304 * sizeof(float));
	int *place;
	cudaMalloc(&place, 4194304 * sizeof(int));
	cudaMemset(place, 0, 4194304 * sizeof(int));
	gather_3_a<<<376, 256>>>(p, out, place, 96256);
	gather_3_a<<<3320, 256>>>(p, out, place, 849920);
	gather_3_a<<<15016, 256>>>(p, out, place, 3844096);
	gather_3_b<<<1024, 128>>>(p, out, 131072);
	gather_3_b<<<8192, 128>>>(p, out, 1048576);
	gather_3_b<<<16384, 128>>>(p, out, 2097152);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
