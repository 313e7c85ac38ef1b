/*
 * The struct sweep, mixed 2: records of 24 bytes, 4 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	int a;
	float b[3];
	float c;
	float d;
};

/* Block sums, a record per thread, 3 of the members read, float. */
__global__ void __launch_bounds__(128) mixed_2_a(const record *p, float *out, int n)
{
	__shared__ float part[128];
	float sum = 0.0f;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		float x = 0.25f;
		int k = 1;
		k += p[i].a * 3;
		x += 0.5f * p[i].c;
		x += 1.25f * p[i].d;
		sum += (float)(x + k);
	}
	part[threadIdx.x] = sum;
	__syncthreads();
	for (int s = 64; s > 0; s >>= 1) {
		if (threadIdx.x < s)
			part[threadIdx.x] += part[threadIdx.x + s];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = part[0];
}

/* Streams records (guarded), 1 of the members read, float. */
__global__ void __launch_bounds__(96) mixed_2_b(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = 0.25f;
	int k = 1;
	x += 0.5f * p[i].c;
	q[i].b[0] = (x * 0.5f);
	q[i].b[1] = (x * 0.5f);
	q[i].b[2] = (x * 0.5f);
	q[i].c = (x * 0.75f);
}

int main()
{
	record *p;
	cudaMalloc(&p, 26943488 * sizeof(record));
	cudaMemset(p, 0, 26943488 * sizeof(record));
	float *out;
	cudaMalloc(&out, 26943488 * sizeof(float));
	cudaMemset(out, 0, 26943488 * sizeof(float));
	record *q;
	cudaMalloc(&q, 14407680 * sizeof(record));
	cudaMemset(q, 0, 14407680 * sizeof(record));
	mixed_2_a<<<968, 128>>>(p, out, 123904);
	mixed_2_a<<<23720, 128>>>(p, out, 3036160);
	mixed_2_a<<<210496, 128>>>(p, out, 26943488);
	mixed_2_b<<<2678, 96>>>(p, q, 257024);
	mixed_2_b<<<18816, 96>>>(p, q, 1806336);
	mixed_2_b<<<150080, 96>>>(p, q, 14407680);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
