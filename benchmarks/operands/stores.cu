/*
 * Stores of all threads, by words of a record that are written, one after the other or four at a time: run under Nsight Compute, which gives requests and sectors
 * at the L2 and DRAM beside the time. benchmarks/measured/stores-h200.csv is what it printed.
 */
#include <cstdio>
#include <cuda_runtime.h>
struct record {
	int a[4];
	float b, c;
	double d;
};
__global__ void __launch_bounds__(512) six(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = .25f;
	int k = 1;
	x += .75f * p[i].c;
	q[i].a[0] = k;
	q[i].a[1] = k;
	q[i].a[2] = k;
	q[i].a[3] = k;
	q[i].b = x * .75f;
	q[i].c = x;
	q[i].d = x * 1.25f;
}
__global__ void __launch_bounds__(512) six_noread(const record *p, record *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float x = .25f * n;
	int k = 1;
	q[i].a[0] = k;
	q[i].a[1] = k;
	q[i].a[2] = k;
	q[i].a[3] = k;
	q[i].b = x * .75f;
	q[i].c = x;
	q[i].d = x * 1.25f;
}
template <int K, int REC> __global__ void __launch_bounds__(512) words(float *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
#pragma unroll
	for (int k = 0; k < K; k++)
		asm volatile("st.global.f32 [%0],%1;" ::"l"(q + (size_t)i * REC + k), "f"(1.f * k));
}
template <int K, int REC> __global__ void __launch_bounds__(512) quads(float *q, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
#pragma unroll
	for (int k = 0; k < K; k++)
		asm volatile("st.global.v4.f32 [%0],{%1,%1,%1,%1};" ::"l"(q + (size_t)i * REC + k * 4), "f"(1.f * k));
}
template <int K, int REC> __global__ void __launch_bounds__(512) far(float *q, int n, int far)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	for (int k = 0; k < K; k++) {
		asm volatile("st.global.f32 [%0],%1;" ::"l"(q + (size_t)i * REC + k), "f"(1.f * k));
		long long t = clock64();
		while (clock64() - t < far)
			;
	}
}
int main()
{
	char *p, *q, *f;
	cudaMalloc(&p, 1u << 30);
	cudaMalloc(&q, 1u << 30);
	cudaMalloc(&f, 256 << 20);
	cudaMemset(p, 0, 1u << 30);
	cudaMemset(q, 0, 1u << 30);
	int n = 5724122;
	int g = (n + 511) / 512;
#define GO(x)                                                                                                                      \
	cudaMemset(f, 1, 256 << 20);                                                                                               \
	x;
	GO((six<<<g, 512>>>((record *)p, (record *)q, n)))
	GO((six_noread<<<g, 512>>>((record *)p, (record *)q, n)))
	GO((words<8, 8><<<g, 512>>>((float *)q, n)))
	GO((words<7, 8><<<g, 512>>>((float *)q, n)))
	GO((words<4, 8><<<g, 512>>>((float *)q, n)))
	GO((words<2, 8><<<g, 512>>>((float *)q, n)))
	GO((words<1, 8><<<g, 512>>>((float *)q, n)))
	GO((quads<2, 8><<<g, 512>>>((float *)q, n)))
	GO((quads<1, 8><<<g, 512>>>((float *)q, n)))
	GO((quads<1, 4><<<2 * g, 512>>>((float *)q, 2 * n)))
	GO((words<4, 4><<<2 * g, 512>>>((float *)q, 2 * n)))
	GO((words<3, 4><<<2 * g, 512>>>((float *)q, 2 * n)))
	GO((words<2, 4><<<2 * g, 512>>>((float *)q, 2 * n)))
	GO((words<1, 4><<<2 * g, 512>>>((float *)q, 2 * n)))
	GO((words<5, 16><<<g, 512>>>((float *)q, n)))
	GO((words<16, 16><<<g, 512>>>((float *)q, n)))
	GO((words<5, 5><<<g, 512>>>((float *)q, n)))
	GO((words<3, 3><<<g, 512>>>((float *)q, n)))
	GO((words<2, 2><<<4 * g, 512>>>((float *)q, 4 * n)))
	GO((far<4, 4><<<2 * g, 512>>>((float *)q, 2 * n, 200)))
	GO((far<4, 4><<<2 * g, 512>>>((float *)q, 2 * n, 2000)))
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
