/*
 * Dirty lines that the L2 keeps, for Nsight Compute: launches of `fill`, which writes after a kernel that only read, and of `two` and `three`, which read two or three arrays and write one
 * after a kernel that wrote 240 MiB. Prints CSV, a row a launch, in the order of the launches that ncu counts: benchmarks/measured/dirty-h100.csv.
 *
 *     nvcc -O2 -std=c++17 -arch=sm_90 -o dirty dirty.cu
 *     ncu --cache-control none --clock-control none -k 'regex:fill|two|three' --metrics dram__bytes_read.sum,dram__bytes_write.sum ./dirty
 *
 * What a launch of `fill` writes less what DRAM is sent is l2.dirty_bytes. What `two` and `three` write, and l2.dirty_bytes of before, less what DRAM is sent stays dirty; over the share of
 * bytes that they write that is l2.dirty_kept_bytes.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define THREADS 256
#define REPEATS 3
#define AT ((size_t)blockIdx.x * THREADS + threadIdx.x)
#define MEBIBYTE ((size_t)1 << 20)
#define SCRATCH (240 * MEBIBYTE)

__global__ void fill(int4 *to, int v)
{
	to[AT] = make_int4(v, v, v, v);
}
__global__ void two(const int *a, const int *b, int *to)
{
	to[AT] = a[AT] + b[AT];
}
__global__ void three(const int *a, const int *b, const int *c, int *to)
{
	to[AT] = a[AT] + b[AT] + c[AT];
}
__global__ void clean(const int4 *from, int4 *sink)
{
	int4 v = from[AT];
	if ((v.x ^ v.y ^ v.z ^ v.w) == 0x7fffffff)
		sink[0] = v;
}
__global__ void soil(int4 *to, int v)
{
	to[AT] = make_int4(v, v, v, v);
}

static int blocks(size_t bytes, size_t width)
{
	return (int)(bytes / width / THREADS);
}

int main()
{
	char *scratch, *array[4];
	cudaMalloc(&scratch, SCRATCH);
	cudaMemset(scratch, 1, SCRATCH);
	for (char *&one : array) {
		cudaMalloc(&one, SCRATCH);
		cudaMemset(one, 1, SCRATCH);
	}
	printf("kernel,bytes of each array\n");
	for (size_t megabytes : {8, 16, 24, 32, 48, 64, 128, 240})
		for (int i = 0; i < REPEATS; i++) {
			clean<<<blocks(SCRATCH, 16), THREADS>>>((int4 *)scratch, (int4 *)array[0]);
			clean<<<blocks(SCRATCH, 16), THREADS>>>((int4 *)array[1], (int4 *)array[0]);
			fill<<<blocks(megabytes * MEBIBYTE, 16), THREADS>>>((int4 *)array[3], i);
			printf("fill,%zu\n", megabytes * MEBIBYTE);
		}
	for (size_t megabytes : {32, 64, 128})
		for (int i = 0; i < 2 * REPEATS; i++) {
			soil<<<blocks(SCRATCH, 16), THREADS>>>((int4 *)scratch, i);
			if (i < REPEATS)
				two<<<blocks(megabytes * MEBIBYTE, 4), THREADS>>>((int *)array[0], (int *)array[1], (int *)array[3]);
			else
				three<<<blocks(megabytes * MEBIBYTE, 4), THREADS>>>((int *)array[0], (int *)array[1], (int *)array[2], (int *)array[3]);
			printf("%s,%zu\n", i < REPEATS ? "two" : "three", megabytes * MEBIBYTE);
		}
	return cudaDeviceSynchronize() != cudaSuccess;
}
