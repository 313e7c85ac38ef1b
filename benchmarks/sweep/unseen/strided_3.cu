/*
 * The struct sweep, strided 3: records of 24 bytes, 3 members. Written by generate.py.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct record {
	double a;
	double b;
	double c;
};

/* Each thread a row of a matrix of records, 1 of the members read, float. */
__global__ void __launch_bounds__(128) strided_3_a(const record *p, float *out, int n)
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
		x += 0.75f * (float)p[j].c;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

/* Each thread a run of 16 records, 3 of the members read, float. */
__global__ void __launch_bounds__(192) strided_3_b(const record *p, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float sum = 0.25f;
	int count = 0;
	for (int r = 0; r < 16; r++) {
		int j = i * 16 + r;
		float x = 0.25f;
		int k = 1;
		x += 0.75f * (float)p[j].a;
		x += 0.5f * (float)p[j].b;
		x += 1.25f * (float)p[j].c;
		sum += x;
		count += k;
	}
	out[i] = (float)(sum + count);
}

int main()
{
	record *p;
	cudaMalloc(&p, 15922176 * sizeof(record));
	cudaMemset(p, 0, 15922176 * sizeof(record));
	float *out;
	cudaMalloc(&out, 15922176 * sizeof(float));
	cudaMemset(out, 0, 15922176 * sizeof(float));
	strided_3_a<<<15, 128>>>(p, out, 1834);
	strided_3_a<<<42, 128>>>(p, out, 5320);
	strided_3_a<<<313, 128>>>(p, out, 39941);
	strided_3_b<<<122, 192>>>(p, out, 23360);
	strided_3_b<<<793, 192>>>(p, out, 152256);
	strided_3_b<<<5183, 192>>>(p, out, 995136);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
