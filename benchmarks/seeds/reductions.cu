/*
 * The seven steps of Harris's tutorial on parallel reduction, as written there: from 2^20 to 2^25 integers, blocks of 128 and 256.
 */
#include <cstdio>
#include <cuda_runtime.h>

/* Interleaved addressing, divergent branches. */
__global__ void reduce0(int *g_idata, int *g_odata)
{
	extern __shared__ int sdata[];
	unsigned int tid = threadIdx.x;
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
	sdata[tid] = g_idata[i];
	__syncthreads();
	for (unsigned int s = 1; s < blockDim.x; s *= 2) {
		if (tid % (2 * s) == 0)
			sdata[tid] += sdata[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		g_odata[blockIdx.x] = sdata[0];
}

/* Interleaved addressing, bank conflicts. */
__global__ void reduce1(int *g_idata, int *g_odata)
{
	extern __shared__ int sdata[];
	unsigned int tid = threadIdx.x;
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
	sdata[tid] = g_idata[i];
	__syncthreads();
	for (unsigned int s = 1; s < blockDim.x; s *= 2) {
		int index = 2 * s * tid;
		if (index < blockDim.x)
			sdata[index] += sdata[index + s];
		__syncthreads();
	}
	if (tid == 0)
		g_odata[blockIdx.x] = sdata[0];
}

/* Sequential addressing. */
__global__ void reduce2(int *g_idata, int *g_odata)
{
	extern __shared__ int sdata[];
	unsigned int tid = threadIdx.x;
	unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
	sdata[tid] = g_idata[i];
	__syncthreads();
	for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
		if (tid < s)
			sdata[tid] += sdata[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		g_odata[blockIdx.x] = sdata[0];
}

/* The first addition while loading. */
__global__ void reduce3(int *g_idata, int *g_odata)
{
	extern __shared__ int sdata[];
	unsigned int tid = threadIdx.x;
	unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
	sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
	__syncthreads();
	for (unsigned int s = blockDim.x / 2; s > 0; s >>= 1) {
		if (tid < s)
			sdata[tid] += sdata[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		g_odata[blockIdx.x] = sdata[0];
}

/* The last warp unrolled. */
__device__ void warp_reduce(volatile int *sdata, unsigned int tid)
{
	sdata[tid] += sdata[tid + 32];
	sdata[tid] += sdata[tid + 16];
	sdata[tid] += sdata[tid + 8];
	sdata[tid] += sdata[tid + 4];
	sdata[tid] += sdata[tid + 2];
	sdata[tid] += sdata[tid + 1];
}

__global__ void reduce4(int *g_idata, int *g_odata)
{
	extern __shared__ int sdata[];
	unsigned int tid = threadIdx.x;
	unsigned int i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
	sdata[tid] = g_idata[i] + g_idata[i + blockDim.x];
	__syncthreads();
	for (unsigned int s = blockDim.x / 2; s > 32; s >>= 1) {
		if (tid < s)
			sdata[tid] += sdata[tid + s];
		__syncthreads();
	}
	if (tid < 32)
		warp_reduce(sdata, tid);
	if (tid == 0)
		g_odata[blockIdx.x] = sdata[0];
}

/* The block's part, completely unrolled. */
template <unsigned int blockSize> __device__ void block_reduce(int *sdata, unsigned int tid)
{
	if (blockSize >= 512) {
		if (tid < 256)
			sdata[tid] += sdata[tid + 256];
		__syncthreads();
	}
	if (blockSize >= 256) {
		if (tid < 128)
			sdata[tid] += sdata[tid + 128];
		__syncthreads();
	}
	if (blockSize >= 128) {
		if (tid < 64)
			sdata[tid] += sdata[tid + 64];
		__syncthreads();
	}
	if (tid < 32)
		warp_reduce(sdata, tid);
}

template <unsigned int blockSize> __global__ void reduce5(int *g_idata, int *g_odata)
{
	extern __shared__ int sdata[];
	unsigned int tid = threadIdx.x;
	unsigned int i = blockIdx.x * (blockSize * 2) + threadIdx.x;
	sdata[tid] = g_idata[i] + g_idata[i + blockSize];
	__syncthreads();
	block_reduce<blockSize>(sdata, tid);
	if (tid == 0)
		g_odata[blockIdx.x] = sdata[0];
}

/* Many elements per thread. */
template <unsigned int blockSize> __global__ void reduce6(int *g_idata, int *g_odata, unsigned int n)
{
	extern __shared__ int sdata[];
	unsigned int tid = threadIdx.x;
	unsigned int i = blockIdx.x * (blockSize * 2) + tid;
	unsigned int gridSize = blockSize * 2 * gridDim.x;
	sdata[tid] = 0;
	while (i < n) {
		sdata[tid] += g_idata[i] + g_idata[i + blockSize];
		i += gridSize;
	}
	__syncthreads();
	block_reduce<blockSize>(sdata, tid);
	if (tid == 0)
		g_odata[blockIdx.x] = sdata[0];
}

int main()
{
	int *in, *out;
	cudaMalloc(&in, (1 << 25) * sizeof(int));
	cudaMalloc(&out, (1 << 18) * sizeof(int));
	cudaMemset(in, 0, (1 << 25) * sizeof(int));
	reduce0<<<8192, 128, 512>>>(in, out);
	reduce1<<<8192, 128, 512>>>(in, out);
	reduce2<<<8192, 128, 512>>>(in, out);
	reduce3<<<4096, 128, 512>>>(in, out);
	reduce4<<<4096, 128, 512>>>(in, out);
	reduce5<128><<<4096, 128, 512>>>(in, out);
	reduce6<128><<<1024, 128, 512>>>(in, out, 1048576);
	reduce0<<<32768, 128, 512>>>(in, out);
	reduce1<<<32768, 128, 512>>>(in, out);
	reduce2<<<32768, 128, 512>>>(in, out);
	reduce3<<<16384, 128, 512>>>(in, out);
	reduce4<<<16384, 128, 512>>>(in, out);
	reduce5<128><<<16384, 128, 512>>>(in, out);
	reduce6<128><<<1024, 128, 512>>>(in, out, 4194304);
	reduce0<<<262144, 128, 512>>>(in, out);
	reduce1<<<262144, 128, 512>>>(in, out);
	reduce2<<<262144, 128, 512>>>(in, out);
	reduce3<<<131072, 128, 512>>>(in, out);
	reduce4<<<131072, 128, 512>>>(in, out);
	reduce5<128><<<131072, 128, 512>>>(in, out);
	reduce6<128><<<1024, 128, 512>>>(in, out, 33554432);
	reduce0<<<16384, 256, 1024>>>(in, out);
	reduce1<<<16384, 256, 1024>>>(in, out);
	reduce2<<<16384, 256, 1024>>>(in, out);
	reduce3<<<8192, 256, 1024>>>(in, out);
	reduce4<<<8192, 256, 1024>>>(in, out);
	reduce5<256><<<8192, 256, 1024>>>(in, out);
	reduce6<256><<<1024, 256, 1024>>>(in, out, 4194304);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
