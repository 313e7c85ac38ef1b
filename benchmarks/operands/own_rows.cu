/*
 * Threads that walk rows of their own, as columns of levels or paths of one particle do: sums of words and of members of records, of one array and of three, sums that are written in place, members that are stored. Lines that are walked along at a time fill the L2 with what is not used of them.
 *
 *     nvcc -O3 -arch=sm_90 -o own_rows own_rows.cu
 *     ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,... --csv ./own_rows
 *
 * benchmarks/measured/own_rows-h200.csv: kernel, blocks of 128 threads, microseconds, megabytes read from and written to DRAM, share of loaded sectors that hit the L1, of those at the L2 that hit.
 */
#include <cstdio>
#include <cuda_runtime.h>

template <int K> __global__ void __launch_bounds__(128) row_sum(const float *a, float *b, int n)
{
	int t = blockIdx.x * 128 + threadIdx.x;
	if (t >= n)
		return;
	const float *row = a + (size_t)t * K;
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < K; k++)
		sum = sum * 0.5f + row[k];
	b[t] = sum;
}
template <int K, int W> __global__ void __launch_bounds__(128) row_member(const float *a, float *b, int n)
{
	int t = blockIdx.x * 128 + threadIdx.x;
	if (t >= n)
		return;
	const float *row = a + (size_t)t * K * W;
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < K; k++)
		sum = sum * row[k * W + 1] + row[k * W] * row[k * W + W - 1];
	b[t] = sum;
}
template <int K> __global__ void __launch_bounds__(128) row_scale(float *a, int n)
{
	int t = blockIdx.x * 128 + threadIdx.x;
	if (t >= n)
		return;
	float *row = a + (size_t)t * K;
	float last = 1;
#pragma unroll 1
	for (int k = 0; k < K; k++) {
		last = last * 0.5f + row[k];
		row[k] = last;
	}
}
/* rows of three arrays, as records split up */
template <int K> __global__ void __launch_bounds__(128) rows_three(const float *a, const float *c, const float *d, float *b, int n)
{
	int t = blockIdx.x * 128 + threadIdx.x;
	if (t >= n)
		return;
	size_t at = (size_t)t * K;
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < K; k++)
		sum = sum * c[at + k] + a[at + k] * d[at + k];
	b[t] = sum;
}
template <int K, int W> __global__ void __launch_bounds__(128) fill(float *a, int n)
{
	int t = blockIdx.x * 128 + threadIdx.x;
	if (t >= n)
		return;
	float *row = a + (size_t)t * K * W, v = t;
#pragma unroll 1
	for (int k = 0; k < K; k++) {
		v = v * 0.5f + 1;
		row[k * W] = v;
	}
}
template <int K, int W> __global__ void __launch_bounds__(128) update(float *a, int n)
{
	int t = blockIdx.x * 128 + threadIdx.x;
	if (t >= n)
		return;
	float *row = a + (size_t)t * K * W, v = t;
#pragma unroll 1
	for (int k = 0; k < K; k++) {
		v = v * 0.5f + row[k * W + 1] * row[k * W + 2];
		row[k * W] = v;
	}
}
template <int K, int W> __global__ void __launch_bounds__(128) both_ways(float *a, int n)
{
	int t = blockIdx.x * 128 + threadIdx.x;
	if (t >= n)
		return;
	float *row = a + (size_t)t * K * W, v = t;
#pragma unroll 1
	for (int k = 0; k < K; k++) {
		v = v * 0.5f + row[k * W + 1] * row[k * W + 2];
		row[k * W] = v;
	}
#pragma unroll 1
	for (int k = K - 1; k >= 0; k--) {
		v = v * 0.5f + row[k * W + 1] * row[k * W + 2];
		row[k * W] += v;
	}
}
template <int K, int W> __global__ void __launch_bounds__(128) apart(const float *b, float *a, int n)
{
	int t = blockIdx.x * 128 + threadIdx.x;
	if (t >= n)
		return;
	float *row = a + (size_t)t * K * W, v = t;
	const float *other = b + (size_t)t * K * W;
#pragma unroll 1
	for (int k = 0; k < K; k++) {
		v = v * 0.5f + other[k * W + 1] * other[k * W + 2];
		row[k * W] = v;
	}
}
#define BIG ((size_t)1 << 30)

int main()
{
	float *a, *b;
	cudaMalloc(&a, BIG * 4 + 4096);
	cudaMemset(a, 0, BIG * 4);
	cudaMalloc(&b, (1 << 22) * 4);
	row_sum<16><<<512, 128>>>(a, b, 512 * 128);
	row_sum<16><<<1024, 128>>>(a, b, 1024 * 128);
	row_sum<16><<<2048, 128>>>(a, b, 2048 * 128);
	row_sum<16><<<16384, 128>>>(a, b, 16384 * 128);
	row_sum<48><<<256, 128>>>(a, b, 256 * 128);
	row_sum<48><<<512, 128>>>(a, b, 512 * 128);
	row_sum<48><<<1024, 128>>>(a, b, 1024 * 128);
	row_sum<48><<<2048, 128>>>(a, b, 2048 * 128);
	row_sum<48><<<8192, 128>>>(a, b, 8192 * 128);
	row_sum<256><<<128, 128>>>(a, b, 128 * 128);
	row_sum<256><<<256, 128>>>(a, b, 256 * 128);
	row_sum<256><<<512, 128>>>(a, b, 512 * 128);
	row_sum<256><<<1024, 128>>>(a, b, 1024 * 128);
	row_sum<256><<<2048, 128>>>(a, b, 2048 * 128);
	row_sum<256><<<8192, 128>>>(a, b, 8192 * 128);
	row_sum<2048><<<256, 128>>>(a, b, 256 * 128);
	row_sum<2048><<<1024, 128>>>(a, b, 1024 * 128);
	row_member<48, 12><<<256, 128>>>(a, b, 256 * 128);
	row_member<48, 12><<<512, 128>>>(a, b, 512 * 128);
	row_member<48, 12><<<1024, 128>>>(a, b, 1024 * 128);
	row_member<48, 12><<<2048, 128>>>(a, b, 2048 * 128);
	row_member<48, 5><<<256, 128>>>(a, b, 256 * 128);
	row_member<48, 5><<<1024, 128>>>(a, b, 1024 * 128);
	row_member<48, 5><<<2048, 128>>>(a, b, 2048 * 128);
	row_member<16, 40><<<1024, 128>>>(a, b, 1024 * 128);
	row_scale<48><<<256, 128>>>(a, 256 * 128);
	row_scale<48><<<512, 128>>>(a, 512 * 128);
	row_scale<48><<<1024, 128>>>(a, 1024 * 128);
	row_scale<48><<<2048, 128>>>(a, 2048 * 128);
	row_scale<256><<<256, 128>>>(a, 256 * 128);
	row_scale<256><<<1024, 128>>>(a, 1024 * 128);
	rows_three<48><<<256, 128>>>(a, a + (BIG >> 2), a + (BIG >> 1), b, 256 * 128);
	rows_three<48><<<512, 128>>>(a, a + (BIG >> 2), a + (BIG >> 1), b, 512 * 128);
	rows_three<48><<<1024, 128>>>(a, a + (BIG >> 2), a + (BIG >> 1), b, 1024 * 128);
	rows_three<48><<<2048, 128>>>(a, a + (BIG >> 2), a + (BIG >> 1), b, 2048 * 128);
	rows_three<256><<<256, 128>>>(a, a + (BIG >> 2), a + (BIG >> 1), b, 256 * 128);
	rows_three<256><<<1024, 128>>>(a, a + (BIG >> 2), a + (BIG >> 1), b, 1024 * 128);
	fill<48, 12><<<256, 128>>>(a, 256 * 128);
	fill<48, 12><<<1024, 128>>>(a, 1024 * 128);
	fill<48, 12><<<2048, 128>>>(a, 2048 * 128);
	fill<48, 8><<<1024, 128>>>(a, 1024 * 128);
	fill<48, 16><<<1024, 128>>>(a, 1024 * 128);
	update<48, 12><<<256, 128>>>(a, 256 * 128);
	update<48, 12><<<512, 128>>>(a, 512 * 128);
	update<48, 12><<<1024, 128>>>(a, 1024 * 128);
	update<48, 12><<<2048, 128>>>(a, 2048 * 128);
	update<48, 8><<<1024, 128>>>(a, 1024 * 128);
	update<48, 16><<<1024, 128>>>(a, 1024 * 128);
	update<48, 11><<<1024, 128>>>(a, 1024 * 128);
	update<47, 12><<<1024, 128>>>(a, 1024 * 128);
	update<48, 3><<<1024, 128>>>(a, 1024 * 128);
	update<8, 12><<<8192, 128>>>(a, 8192 * 128);
	both_ways<48, 12><<<256, 128>>>(a, 256 * 128);
	both_ways<48, 12><<<1024, 128>>>(a, 1024 * 128);
	both_ways<47, 12><<<1024, 128>>>(a, 1024 * 128);
	apart<48, 12><<<256, 128>>>(a, a + (BIG >> 1), 256 * 128);
	apart<48, 12><<<1024, 128>>>(a, a + (BIG >> 1), 1024 * 128);
	apart<8, 12><<<8192, 128>>>(a, a + (BIG >> 1), 8192 * 128);
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
