/*
 * The radial distribution function: a histogram of the distances of atoms i and (i + d) % n; three arrays or float4, the histogram in device memory or
 * shared memory first.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define BINS 512
#define THREADS 512
#define DR 0.004f

__device__ float dist(float dx, float dy, float dz)
{
	float dx2 = __fmul_rn(dx, dx);
	float dy2 = __fmul_rn(dy, dy);
	float dz2 = __fmul_rn(dz, dz);
	float tmp = __fadd_rn(dx2, dy2);
	float d2 = __fadd_rn(tmp, dz2);
	return __fsqrt_rn(d2);
}

__global__ void rdf_naive(float *x, float *y, float *z, int *h, int d, int n)
{
	int whoami = blockIdx.x * blockDim.x + threadIdx.x;
	if (whoami < n) {
		int idx = (whoami + d) % n;
		idx = (int)__fdiv_rn(dist(x[whoami] - x[idx], y[whoami] - y[idx], z[whoami] - z[idx]), DR);
		if (idx < BINS)
			atomicAdd(h + idx, 1);
	}
}

__global__ void rdf_shared(float *x, float *y, float *z, int *h, int d, int n)
{
	__shared__ int sh[BINS];
	int whoami = blockIdx.x * blockDim.x + threadIdx.x;
	sh[threadIdx.x] = 0;
	__syncthreads();
	if (whoami < n) {
		int idx = (whoami + d) % n;
		idx = (int)__fdiv_rn(dist(x[whoami] - x[idx], y[whoami] - y[idx], z[whoami] - z[idx]), DR);
		if (idx < BINS)
			atomicAdd(sh + idx, 1);
	}
	__syncthreads();
	atomicAdd(h + threadIdx.x, sh[threadIdx.x]);
}

__global__ void rdf_float4(float4 *p, int *h, int d, int n)
{
	int whoami = blockIdx.x * blockDim.x + threadIdx.x;
	if (whoami < n) {
		int idx = (whoami + d) % n;
		float4 p1 = p[whoami];
		float4 p2 = p[idx];
		idx = (int)__fdiv_rn(dist(p1.x - p2.x, p1.y - p2.y, p1.z - p2.z), DR);
		if (idx < BINS)
			atomicAdd(h + idx, 1);
	}
}

__global__ void rdf_float4_shared(float4 *p, int *h, int d, int n)
{
	__shared__ int sh[BINS];
	int whoami = blockIdx.x * blockDim.x + threadIdx.x;
	sh[threadIdx.x] = 0;
	__syncthreads();
	if (whoami < n) {
		int idx = (whoami + d) % n;
		float4 p1 = p[whoami];
		float4 p2 = p[idx];
		idx = (int)__fdiv_rn(dist(p1.x - p2.x, p1.y - p2.y, p1.z - p2.z), DR);
		if (idx < BINS)
			atomicAdd(sh + idx, 1);
	}
	__syncthreads();
	atomicAdd(h + threadIdx.x, sh[threadIdx.x]);
}

int main()
{
	float *x, *y, *z;
	float4 *p;
	int *h;
	cudaMalloc(&x, (1 << 24) * sizeof(float));
	cudaMalloc(&y, (1 << 24) * sizeof(float));
	cudaMalloc(&z, (1 << 24) * sizeof(float));
	cudaMalloc(&p, (1 << 24) * sizeof(float4));
	cudaMalloc(&h, BINS * sizeof(int));
	cudaMemset(h, 0, BINS * sizeof(int));
	rdf_naive<<<86, THREADS>>>(x, y, z, h, 7, 44028);
	rdf_shared<<<86, THREADS>>>(x, y, z, h, 7, 44028);
	rdf_float4<<<86, THREADS>>>(p, h, 7, 44028);
	rdf_float4_shared<<<86, THREADS>>>(p, h, 7, 44028);
	rdf_naive<<<2048, THREADS>>>(x, y, z, h, 7, 1048576);
	rdf_shared<<<2048, THREADS>>>(x, y, z, h, 7, 1048576);
	rdf_float4<<<2048, THREADS>>>(p, h, 7, 1048576);
	rdf_float4_shared<<<2048, THREADS>>>(p, h, 7, 1048576);
	rdf_naive<<<32768, THREADS>>>(x, y, z, h, 7, 16777216);
	rdf_shared<<<32768, THREADS>>>(x, y, z, h, 7, 16777216);
	rdf_float4<<<32768, THREADS>>>(p, h, 7, 16777216);
	rdf_float4_shared<<<32768, THREADS>>>(p, h, 7, 16777216);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
