/*
 * Of what the L2 has room: words a stride apart are read three times, by all SMs in the same order. It is full when their lines are, whatever of them is read: 128 bytes apart it keeps 42 MB of lines (10.5 MB of sectors) and
 * loses all of 67 MB.
 *
 *     nvcc -O3 -arch=sm_90 -o sets sets.cu
 *     ncu --clock-control none --cache-control none --metrics gpu__time_duration.sum,dram__bytes_read.sum --csv ./sets
 *
 * benchmarks/measured/sets-h200.csv: bytes from word to word, words, megabytes that each pass read from DRAM, microseconds.
 */
#include <cstdio>
#include <cuda_runtime.h>
__global__ void __launch_bounds__(256) gather(const float *a, float *b, size_t stride, size_t n)
{
	size_t i = blockIdx.x * 256 + threadIdx.x;
	float sum = 0;
	for (; i < n; i += gridDim.x * 256)
		sum += __ldcg(a + i * stride);
	if (sum == 1.5f)
		*b = sum;
}
int main()
{
	float *a, *b;
	cudaMalloc(&a, (size_t)1 << 32);
	cudaMemset(a, 0, (size_t)1 << 32);
	cudaMalloc(&b, 4);
	for (size_t stride : {8, 16, 32, 64, 256})
		for (size_t n : {65536, 131072, 196608, 262144, 327680, 393216, 458752, 524288, 786432, 1048576})
			for (int pass = 0; pass < 3; pass++)
				gather<<<1056, 256>>>(a, b, stride, n);
	return cudaDeviceSynchronize() != cudaSuccess;
}
