/*
 * Sums of 2^26 floats, doubles and complex numbers: a grid that strides, shuffles in the warp, an atomic addition per warp or per block; one, two or four
 * doubles per load. Fifteen launch configurations, from one element per thread to 128 blocks.
 */
#include <cstdio>
#include <cuda_runtime.h>

template <class number> __device__ number warp_sum(number value)
{
	for (int offset = warpSize >> 1; offset > 0; offset >>= 1)
		value += __shfl_down_sync(0xffffffff, value, offset);
	return value;
}

__global__ void sum_float(const float *in, float *out, int n)
{
	float sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		sum += in[i];
	sum = warp_sum(sum);
	if ((threadIdx.x & (warpSize - 1)) == 0)
		atomicAdd(out, sum);
}

/* One atomic addition per block. */
__global__ void sum_float_block(const float *in, float *out, int n)
{
	__shared__ float part[32];
	float sum = 0;
	int lane = threadIdx.x & (warpSize - 1), warp = threadIdx.x / warpSize;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		sum += in[i];
	sum = warp_sum(sum);
	if (lane == 0)
		part[warp] = sum;
	__syncthreads();
	sum = threadIdx.x < blockDim.x / warpSize ? part[lane] : 0;
	if (warp == 0)
		sum = warp_sum(sum);
	if (threadIdx.x == 0)
		atomicAdd(out, sum);
}

__global__ void sum_double(const double *in, double *out, int n)
{
	double sum = 0;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		sum += in[i];
	sum = warp_sum(sum);
	if ((threadIdx.x & (warpSize - 1)) == 0)
		atomicAdd(out, sum);
}

/* One atomic addition per block. */
__global__ void sum_double_block(const double *in, double *out, int n)
{
	__shared__ double part[32];
	double sum = 0;
	int lane = threadIdx.x & (warpSize - 1), warp = threadIdx.x / warpSize;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		sum += in[i];
	sum = warp_sum(sum);
	if (lane == 0)
		part[warp] = sum;
	__syncthreads();
	sum = threadIdx.x < blockDim.x / warpSize ? part[lane] : 0;
	if (warp == 0)
		sum = warp_sum(sum);
	if (threadIdx.x == 0)
		atomicAdd(out, sum);
}

__global__ void sum_double2(const double *in, double *out, unsigned int n)
{
	double sum = 0;
	unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x, half_n = n >> 1;
	for (unsigned int i = idx; i < half_n; i += blockDim.x * gridDim.x) {
		double2 tmp = reinterpret_cast<const double2 *>(in)[i];
		sum += tmp.x + tmp.y;
	}
	sum = warp_sum(sum);
	if ((threadIdx.x & (warpSize - 1)) == 0)
		atomicAdd(out, sum);
}

/* Four doubles in two loads: vectors of more than 16 bytes are read in parts on most GPUs. */
struct __align__(16) four {
	double x, y, z, w;
};

__global__ void sum_double4(const double *in, double *out, unsigned int n)
{
	double sum = 0;
	unsigned int idx = blockIdx.x * blockDim.x + threadIdx.x, loop_n = n >> 2;
	for (unsigned int i = idx; i < loop_n; i += blockDim.x * gridDim.x) {
		four tmp = reinterpret_cast<const four *>(in)[i];
		sum += tmp.x + tmp.y + tmp.z + tmp.w;
	}
	sum = warp_sum(sum);
	if ((threadIdx.x & (warpSize - 1)) == 0)
		atomicAdd(out, sum);
}

__global__ void sum_complex(const double2 *in, double2 *out, unsigned int n)
{
	double2 sum = make_double2(0.0, 0.0);
	for (unsigned int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
		sum.x += in[i].x;
		sum.y += in[i].y;
	}
	sum.x = warp_sum(sum.x);
	sum.y = warp_sum(sum.y);
	if ((threadIdx.x & (warpSize - 1)) == 0) {
		atomicAdd(&out[0].x, sum.x);
		atomicAdd(&out[0].y, sum.y);
	}
}

int main()
{
	float *f, *fsum;
	double *d, *dsum;
	double2 *c, *csum;
	cudaMalloc(&f, (1 << 26) * sizeof(float));
	cudaMemset(f, 0, (1 << 26) * sizeof(float));
	cudaMalloc(&fsum, sizeof(float));
	cudaMemset(fsum, 0, sizeof(float));
	cudaMalloc(&d, (1 << 26) * sizeof(double));
	cudaMemset(d, 0, (1 << 26) * sizeof(double));
	cudaMalloc(&dsum, sizeof(double));
	cudaMemset(dsum, 0, sizeof(double));
	cudaMalloc(&c, (1 << 26) * sizeof(double2));
	cudaMemset(c, 0, (1 << 26) * sizeof(double2));
	cudaMalloc(&csum, sizeof(double2));
	cudaMemset(csum, 0, sizeof(double2));
	sum_float<<<65536, 1024>>>(f, fsum, 1 << 26);
	sum_float<<<131072, 512>>>(f, fsum, 1 << 26);
	sum_float<<<262144, 256>>>(f, fsum, 1 << 26);
	sum_float<<<524288, 128>>>(f, fsum, 1 << 26);
	sum_float<<<131072, 256>>>(f, fsum, 1 << 26);
	sum_float<<<65536, 256>>>(f, fsum, 1 << 26);
	sum_float<<<32768, 256>>>(f, fsum, 1 << 26);
	sum_float<<<16384, 256>>>(f, fsum, 1 << 26);
	sum_float<<<8192, 256>>>(f, fsum, 1 << 26);
	sum_float<<<4096, 256>>>(f, fsum, 1 << 26);
	sum_float<<<2048, 256>>>(f, fsum, 1 << 26);
	sum_float<<<1024, 256>>>(f, fsum, 1 << 26);
	sum_float<<<512, 256>>>(f, fsum, 1 << 26);
	sum_float<<<256, 256>>>(f, fsum, 1 << 26);
	sum_float<<<128, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<65536, 1024>>>(f, fsum, 1 << 26);
	sum_float_block<<<131072, 512>>>(f, fsum, 1 << 26);
	sum_float_block<<<262144, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<524288, 128>>>(f, fsum, 1 << 26);
	sum_float_block<<<131072, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<65536, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<32768, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<16384, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<8192, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<4096, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<2048, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<1024, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<512, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<256, 256>>>(f, fsum, 1 << 26);
	sum_float_block<<<128, 256>>>(f, fsum, 1 << 26);
	sum_double<<<65536, 1024>>>(d, dsum, 1 << 26);
	sum_double<<<131072, 512>>>(d, dsum, 1 << 26);
	sum_double<<<262144, 256>>>(d, dsum, 1 << 26);
	sum_double<<<524288, 128>>>(d, dsum, 1 << 26);
	sum_double<<<131072, 256>>>(d, dsum, 1 << 26);
	sum_double<<<65536, 256>>>(d, dsum, 1 << 26);
	sum_double<<<32768, 256>>>(d, dsum, 1 << 26);
	sum_double<<<16384, 256>>>(d, dsum, 1 << 26);
	sum_double<<<8192, 256>>>(d, dsum, 1 << 26);
	sum_double<<<4096, 256>>>(d, dsum, 1 << 26);
	sum_double<<<2048, 256>>>(d, dsum, 1 << 26);
	sum_double<<<1024, 256>>>(d, dsum, 1 << 26);
	sum_double<<<512, 256>>>(d, dsum, 1 << 26);
	sum_double<<<256, 256>>>(d, dsum, 1 << 26);
	sum_double<<<128, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<65536, 1024>>>(d, dsum, 1 << 26);
	sum_double_block<<<131072, 512>>>(d, dsum, 1 << 26);
	sum_double_block<<<262144, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<524288, 128>>>(d, dsum, 1 << 26);
	sum_double_block<<<131072, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<65536, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<32768, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<16384, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<8192, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<4096, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<2048, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<1024, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<512, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<256, 256>>>(d, dsum, 1 << 26);
	sum_double_block<<<128, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<65536, 1024>>>(d, dsum, 1 << 26);
	sum_double2<<<131072, 512>>>(d, dsum, 1 << 26);
	sum_double2<<<262144, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<524288, 128>>>(d, dsum, 1 << 26);
	sum_double2<<<131072, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<65536, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<32768, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<16384, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<8192, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<4096, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<2048, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<1024, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<512, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<256, 256>>>(d, dsum, 1 << 26);
	sum_double2<<<128, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<65536, 1024>>>(d, dsum, 1 << 26);
	sum_double4<<<131072, 512>>>(d, dsum, 1 << 26);
	sum_double4<<<262144, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<524288, 128>>>(d, dsum, 1 << 26);
	sum_double4<<<131072, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<65536, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<32768, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<16384, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<8192, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<4096, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<2048, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<1024, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<512, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<256, 256>>>(d, dsum, 1 << 26);
	sum_double4<<<128, 256>>>(d, dsum, 1 << 26);
	sum_complex<<<65536, 1024>>>(c, csum, 1 << 26);
	sum_complex<<<131072, 512>>>(c, csum, 1 << 26);
	sum_complex<<<262144, 256>>>(c, csum, 1 << 26);
	sum_complex<<<524288, 128>>>(c, csum, 1 << 26);
	sum_complex<<<131072, 256>>>(c, csum, 1 << 26);
	sum_complex<<<65536, 256>>>(c, csum, 1 << 26);
	sum_complex<<<32768, 256>>>(c, csum, 1 << 26);
	sum_complex<<<16384, 256>>>(c, csum, 1 << 26);
	sum_complex<<<8192, 256>>>(c, csum, 1 << 26);
	sum_complex<<<4096, 256>>>(c, csum, 1 << 26);
	sum_complex<<<2048, 256>>>(c, csum, 1 << 26);
	sum_complex<<<1024, 256>>>(c, csum, 1 << 26);
	sum_complex<<<512, 256>>>(c, csum, 1 << 26);
	sum_complex<<<256, 256>>>(c, csum, 1 << 26);
	sum_complex<<<128, 256>>>(c, csum, 1 << 26);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
