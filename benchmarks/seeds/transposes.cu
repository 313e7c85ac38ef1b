/*
 * The transpose of a matrix: naive, through tiles of 16 x 16 and 32 x 32 in shared memory, with and without padding against bank conflicts. 128 x 128 to 8192 x 8192.
 */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void transpose_naive(float *in, float *out, int n)
{
	int i = blockDim.x * blockIdx.x + threadIdx.x;
	int j = blockDim.y * blockIdx.y + threadIdx.y;
	if ((i < n) && (j < n))
		out[i * n + j] = in[j * n + i];
}

__global__ void transpose_16(float *in, float *out, int n)
{
	__shared__ float block[16 * 16];
	int xBlock = blockDim.x * blockIdx.x, yBlock = blockDim.y * blockIdx.y;
	int xIndex = xBlock + threadIdx.x, yIndex = yBlock + threadIdx.y;
	int index_out = 0, index_transpose = 0;
	if ((xIndex < n) && (yIndex < n)) {
		int index_in = n * yIndex + xIndex;
		int index_block = threadIdx.y * 16 + threadIdx.x;
		block[index_block] = in[index_in];
		index_transpose = threadIdx.x * 16 + threadIdx.y;
		index_out = n * (xBlock + threadIdx.y) + (yBlock + threadIdx.x);
	}
	__syncthreads();
	if ((xIndex < n) && (yIndex < n))
		out[index_out] = block[index_transpose];
}

__global__ void transpose_16_padded(float *in, float *out, int n)
{
	__shared__ float block[16 * 17];
	int xBlock = blockDim.x * blockIdx.x, yBlock = blockDim.y * blockIdx.y;
	int xIndex = xBlock + threadIdx.x, yIndex = yBlock + threadIdx.y;
	int index_out = 0, index_transpose = 0;
	if ((xIndex < n) && (yIndex < n)) {
		int index_in = n * yIndex + xIndex;
		int index_block = threadIdx.y * 17 + threadIdx.x;
		block[index_block] = in[index_in];
		index_transpose = threadIdx.x * 17 + threadIdx.y;
		index_out = n * (xBlock + threadIdx.y) + (yBlock + threadIdx.x);
	}
	__syncthreads();
	if ((xIndex < n) && (yIndex < n))
		out[index_out] = block[index_transpose];
}

__global__ void transpose_32(float *in, float *out, int n)
{
	__shared__ float block[32 * 32];
	int xBlock = blockDim.x * blockIdx.x, yBlock = blockDim.y * blockIdx.y;
	int xIndex = xBlock + threadIdx.x, yIndex = yBlock + threadIdx.y;
	int index_out = 0, index_transpose = 0;
	if ((xIndex < n) && (yIndex < n)) {
		int index_in = n * yIndex + xIndex;
		int index_block = threadIdx.y * 32 + threadIdx.x;
		block[index_block] = in[index_in];
		index_transpose = threadIdx.x * 32 + threadIdx.y;
		index_out = n * (xBlock + threadIdx.y) + (yBlock + threadIdx.x);
	}
	__syncthreads();
	if ((xIndex < n) && (yIndex < n))
		out[index_out] = block[index_transpose];
}

__global__ void transpose_32_padded(float *in, float *out, int n)
{
	__shared__ float block[32 * 33];
	int xBlock = blockDim.x * blockIdx.x, yBlock = blockDim.y * blockIdx.y;
	int xIndex = xBlock + threadIdx.x, yIndex = yBlock + threadIdx.y;
	int index_out = 0, index_transpose = 0;
	if ((xIndex < n) && (yIndex < n)) {
		int index_in = n * yIndex + xIndex;
		int index_block = threadIdx.y * 33 + threadIdx.x;
		block[index_block] = in[index_in];
		index_transpose = threadIdx.x * 33 + threadIdx.y;
		index_out = n * (xBlock + threadIdx.y) + (yBlock + threadIdx.x);
	}
	__syncthreads();
	if ((xIndex < n) && (yIndex < n))
		out[index_out] = block[index_transpose];
}

int main()
{
	float *in, *out;
	cudaMalloc(&in, (1 << 26) * sizeof(float));
	cudaMalloc(&out, (1 << 26) * sizeof(float));
	cudaMemset(in, 0, (1 << 26) * sizeof(float));
	cudaMemset(out, 0, (1 << 26) * sizeof(float));
	transpose_naive<<<dim3(8, 8), dim3(16, 16)>>>(in, out, 128);
	transpose_16<<<dim3(8, 8), dim3(16, 16)>>>(in, out, 128);
	transpose_16_padded<<<dim3(8, 8), dim3(16, 16)>>>(in, out, 128);
	transpose_32<<<dim3(4, 4), dim3(32, 32)>>>(in, out, 128);
	transpose_32_padded<<<dim3(4, 4), dim3(32, 32)>>>(in, out, 128);
	transpose_naive<<<dim3(16, 16), dim3(16, 16)>>>(in, out, 256);
	transpose_16<<<dim3(16, 16), dim3(16, 16)>>>(in, out, 256);
	transpose_16_padded<<<dim3(16, 16), dim3(16, 16)>>>(in, out, 256);
	transpose_32<<<dim3(8, 8), dim3(32, 32)>>>(in, out, 256);
	transpose_32_padded<<<dim3(8, 8), dim3(32, 32)>>>(in, out, 256);
	transpose_naive<<<dim3(32, 32), dim3(16, 16)>>>(in, out, 512);
	transpose_16<<<dim3(32, 32), dim3(16, 16)>>>(in, out, 512);
	transpose_16_padded<<<dim3(32, 32), dim3(16, 16)>>>(in, out, 512);
	transpose_32<<<dim3(16, 16), dim3(32, 32)>>>(in, out, 512);
	transpose_32_padded<<<dim3(16, 16), dim3(32, 32)>>>(in, out, 512);
	transpose_naive<<<dim3(64, 64), dim3(16, 16)>>>(in, out, 1024);
	transpose_16<<<dim3(64, 64), dim3(16, 16)>>>(in, out, 1024);
	transpose_16_padded<<<dim3(64, 64), dim3(16, 16)>>>(in, out, 1024);
	transpose_32<<<dim3(32, 32), dim3(32, 32)>>>(in, out, 1024);
	transpose_32_padded<<<dim3(32, 32), dim3(32, 32)>>>(in, out, 1024);
	transpose_naive<<<dim3(128, 128), dim3(16, 16)>>>(in, out, 2048);
	transpose_16<<<dim3(128, 128), dim3(16, 16)>>>(in, out, 2048);
	transpose_16_padded<<<dim3(128, 128), dim3(16, 16)>>>(in, out, 2048);
	transpose_32<<<dim3(64, 64), dim3(32, 32)>>>(in, out, 2048);
	transpose_32_padded<<<dim3(64, 64), dim3(32, 32)>>>(in, out, 2048);
	transpose_naive<<<dim3(256, 256), dim3(16, 16)>>>(in, out, 4096);
	transpose_16<<<dim3(256, 256), dim3(16, 16)>>>(in, out, 4096);
	transpose_16_padded<<<dim3(256, 256), dim3(16, 16)>>>(in, out, 4096);
	transpose_32<<<dim3(128, 128), dim3(32, 32)>>>(in, out, 4096);
	transpose_32_padded<<<dim3(128, 128), dim3(32, 32)>>>(in, out, 4096);
	transpose_naive<<<dim3(512, 512), dim3(16, 16)>>>(in, out, 8192);
	transpose_16<<<dim3(512, 512), dim3(16, 16)>>>(in, out, 8192);
	transpose_16_padded<<<dim3(512, 512), dim3(16, 16)>>>(in, out, 8192);
	transpose_32<<<dim3(256, 256), dim3(32, 32)>>>(in, out, 8192);
	transpose_32_padded<<<dim3(256, 256), dim3(32, 32)>>>(in, out, 8192);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
