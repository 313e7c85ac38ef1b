/*
 * Sums of matrices, and products with a sum: written as such and with the fused function. 128 x 128 to 8192 x 8192.
 */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void add_matrix(float *a, float *b, float *c, int n, int m)
{
	int whoami = blockDim.x * blockIdx.x + threadIdx.x;
	if (whoami < n * m)
		c[whoami] = a[whoami] + b[whoami];
}

__global__ void mad(float *A, float *B, float *C, float *D, int n)
{
	int whoami = blockDim.x * blockIdx.x + threadIdx.x;
	if (whoami < n * n)
		D[whoami] = A[whoami] * B[whoami] + C[whoami];
}

__global__ void fused(float *A, float *B, float *C, float *D, int n)
{
	int whoami = blockDim.x * blockIdx.x + threadIdx.x;
	if (whoami < n * n)
		D[whoami] = __fmaf_rn(A[whoami], B[whoami], C[whoami]);
}

int main()
{
	float *a, *b, *c, *d;
	cudaMalloc(&a, (1 << 26) * sizeof(float));
	cudaMalloc(&b, (1 << 26) * sizeof(float));
	cudaMalloc(&c, (1 << 26) * sizeof(float));
	cudaMalloc(&d, (1 << 26) * sizeof(float));
	cudaMemset(a, 0, (1 << 26) * sizeof(float));
	cudaMemset(b, 0, (1 << 26) * sizeof(float));
	cudaMemset(c, 0, (1 << 26) * sizeof(float));
	cudaMemset(d, 0, (1 << 26) * sizeof(float));
	add_matrix<<<65, 256>>>(a, b, c, 128, 128);
	add_matrix<<<1025, 256>>>(a, b, c, 512, 512);
	add_matrix<<<4097, 256>>>(a, b, c, 1024, 1024);
	add_matrix<<<8193, 256>>>(a, b, c, 1024, 2048);
	add_matrix<<<16385, 256>>>(a, b, c, 2048, 2048);
	add_matrix<<<65537, 256>>>(a, b, c, 4096, 4096);
	add_matrix<<<262145, 256>>>(a, b, c, 8192, 8192);
	mad<<<64, 256>>>(a, b, c, d, 128);
	fused<<<64, 256>>>(a, b, c, d, 128);
	mad<<<256, 256>>>(a, b, c, d, 256);
	fused<<<256, 256>>>(a, b, c, d, 256);
	mad<<<1024, 256>>>(a, b, c, d, 512);
	fused<<<1024, 256>>>(a, b, c, d, 512);
	mad<<<4096, 256>>>(a, b, c, d, 1024);
	fused<<<4096, 256>>>(a, b, c, d, 1024);
	mad<<<16384, 256>>>(a, b, c, d, 2048);
	fused<<<16384, 256>>>(a, b, c, d, 2048);
	mad<<<65536, 256>>>(a, b, c, d, 4096);
	fused<<<65536, 256>>>(a, b, c, d, 4096);
	mad<<<262144, 256>>>(a, b, c, d, 8192);
	fused<<<262144, 256>>>(a, b, c, d, 8192);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
