/*
 * Block sums in device memory, in shared memory, with four loads per thread, and with shared memory sized at launch: blocks of 128, 2^20 to 2^26 integers.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define DIM 128

__global__ void reduceGmem(int *g_iData, int *g_oData, unsigned int n)
{
	unsigned int tid = threadIdx.x;
	unsigned int idx = blockDim.x * blockIdx.x + threadIdx.x;
	if (idx >= n)
		return;
	int *iData = g_iData + (blockDim.x * blockIdx.x);
	if (blockDim.x >= 1024 && tid < 512)
		iData[tid] += iData[tid + 512];
	__syncthreads();
	if (blockDim.x >= 512 && tid < 256)
		iData[tid] += iData[tid + 256];
	__syncthreads();
	if (blockDim.x >= 256 && tid < 128)
		iData[tid] += iData[tid + 128];
	__syncthreads();
	if (blockDim.x >= 128 && tid < 64)
		iData[tid] += iData[tid + 64];
	__syncthreads();
	if (tid < 32) {
		volatile int *vsmem = iData;
		vsmem[tid] += vsmem[tid + 32];
		vsmem[tid] += vsmem[tid + 16];
		vsmem[tid] += vsmem[tid + 8];
		vsmem[tid] += vsmem[tid + 4];
		vsmem[tid] += vsmem[tid + 2];
		vsmem[tid] += vsmem[tid + 1];
	}
	if (tid == 0)
		g_oData[blockIdx.x] = iData[0];
}

__global__ void reduceSmem(int *g_iData, int *g_oData, unsigned int n)
{
	__shared__ int smem[DIM];
	unsigned int tid = threadIdx.x;
	unsigned int idx = blockDim.x * blockIdx.x + threadIdx.x;
	if (idx >= n)
		return;
	int *iData = g_iData + (blockDim.x * blockIdx.x);
	smem[tid] = iData[tid];
	__syncthreads();
	if (blockDim.x >= 1024 && tid < 512)
		smem[tid] += smem[tid + 512];
	__syncthreads();
	if (blockDim.x >= 512 && tid < 256)
		smem[tid] += smem[tid + 256];
	__syncthreads();
	if (blockDim.x >= 256 && tid < 128)
		smem[tid] += smem[tid + 128];
	__syncthreads();
	if (blockDim.x >= 128 && tid < 64)
		smem[tid] += smem[tid + 64];
	__syncthreads();
	if (tid < 32) {
		volatile int *vsmem = smem;
		vsmem[tid] += vsmem[tid + 32];
		vsmem[tid] += vsmem[tid + 16];
		vsmem[tid] += vsmem[tid + 8];
		vsmem[tid] += vsmem[tid + 4];
		vsmem[tid] += vsmem[tid + 2];
		vsmem[tid] += vsmem[tid + 1];
	}
	if (tid == 0)
		g_oData[blockIdx.x] = smem[0];
}

__global__ void reduceSmemUnroll(int *g_iData, int *g_oData, unsigned int n)
{
	__shared__ int smem[DIM];
	unsigned int tid = threadIdx.x;
	unsigned int idx = blockDim.x * blockIdx.x * 4 + threadIdx.x;
	int tmpSum = 0;
	if (idx + 3 * blockDim.x < n) {
		int a1 = g_iData[idx];
		int a2 = g_iData[idx + blockDim.x];
		int a3 = g_iData[idx + 2 * blockDim.x];
		int a4 = g_iData[idx + 3 * blockDim.x];
		tmpSum = a1 + a2 + a3 + a4;
	}
	smem[tid] = tmpSum;
	__syncthreads();
	if (blockDim.x >= 1024 && tid < 512)
		smem[tid] += smem[tid + 512];
	__syncthreads();
	if (blockDim.x >= 512 && tid < 256)
		smem[tid] += smem[tid + 256];
	__syncthreads();
	if (blockDim.x >= 256 && tid < 128)
		smem[tid] += smem[tid + 128];
	__syncthreads();
	if (blockDim.x >= 128 && tid < 64)
		smem[tid] += smem[tid + 64];
	__syncthreads();
	if (tid < 32) {
		volatile int *vsmem = smem;
		vsmem[tid] += vsmem[tid + 32];
		vsmem[tid] += vsmem[tid + 16];
		vsmem[tid] += vsmem[tid + 8];
		vsmem[tid] += vsmem[tid + 4];
		vsmem[tid] += vsmem[tid + 2];
		vsmem[tid] += vsmem[tid + 1];
	}
	if (tid == 0)
		g_oData[blockIdx.x] = smem[0];
}

__global__ void reduceSmemUnrollDyn(int *g_iData, int *g_oData, unsigned int n)
{
	extern __shared__ int smem[];
	unsigned int tid = threadIdx.x;
	unsigned int idx = blockDim.x * blockIdx.x * 4 + threadIdx.x;
	int tmpSum = 0;
	if (idx + 3 * blockDim.x < n) {
		int a1 = g_iData[idx];
		int a2 = g_iData[idx + blockDim.x];
		int a3 = g_iData[idx + 2 * blockDim.x];
		int a4 = g_iData[idx + 3 * blockDim.x];
		tmpSum = a1 + a2 + a3 + a4;
	}
	smem[tid] = tmpSum;
	__syncthreads();
	if (blockDim.x >= 1024 && tid < 512)
		smem[tid] += smem[tid + 512];
	__syncthreads();
	if (blockDim.x >= 512 && tid < 256)
		smem[tid] += smem[tid + 256];
	__syncthreads();
	if (blockDim.x >= 256 && tid < 128)
		smem[tid] += smem[tid + 128];
	__syncthreads();
	if (blockDim.x >= 128 && tid < 64)
		smem[tid] += smem[tid + 64];
	__syncthreads();
	if (tid < 32) {
		volatile int *vsmem = smem;
		vsmem[tid] += vsmem[tid + 32];
		vsmem[tid] += vsmem[tid + 16];
		vsmem[tid] += vsmem[tid + 8];
		vsmem[tid] += vsmem[tid + 4];
		vsmem[tid] += vsmem[tid + 2];
		vsmem[tid] += vsmem[tid + 1];
	}
	if (tid == 0)
		g_oData[blockIdx.x] = smem[0];
}

int main()
{
	int *in, *out;
	cudaMalloc(&in, (1 << 26) * sizeof(int));
	cudaMalloc(&out, (1 << 19) * sizeof(int));
	cudaMemset(in, 0, (1 << 26) * sizeof(int));
	reduceGmem<<<8192, 128>>>(in, out, 1048576);
	reduceSmem<<<8192, 128>>>(in, out, 1048576);
	reduceSmemUnroll<<<2048, 128>>>(in, out, 1048576);
	reduceSmemUnrollDyn<<<2048, 128, 128 * sizeof(int)>>>(in, out, 1048576);
	reduceGmem<<<32768, 128>>>(in, out, 4194304);
	reduceSmem<<<32768, 128>>>(in, out, 4194304);
	reduceSmemUnroll<<<8192, 128>>>(in, out, 4194304);
	reduceSmemUnrollDyn<<<8192, 128, 128 * sizeof(int)>>>(in, out, 4194304);
	reduceGmem<<<131072, 128>>>(in, out, 16777216);
	reduceSmem<<<131072, 128>>>(in, out, 16777216);
	reduceSmemUnroll<<<32768, 128>>>(in, out, 16777216);
	reduceSmemUnrollDyn<<<32768, 128, 128 * sizeof(int)>>>(in, out, 16777216);
	reduceGmem<<<524288, 128>>>(in, out, 67108864);
	reduceSmem<<<524288, 128>>>(in, out, 67108864);
	reduceSmemUnroll<<<131072, 128>>>(in, out, 67108864);
	reduceSmemUnrollDyn<<<131072, 128, 128 * sizeof(int)>>>(in, out, 67108864);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
