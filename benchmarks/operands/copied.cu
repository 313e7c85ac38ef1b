// What a kernel finds in the L2 after the host copied its data: of new arrays, of arrays that a kernel read before, after flushes that read or wrote.
//
//     nvcc -O3 -arch=sm_90 -o copied copied.cu && CUDA_INJECTION64_PATH=timeline.so TIMELINE=t.jsonl ./copied >labels.txt
//
// Prints a label for each launch, as start.cu does. Up to 2 MiB nearly all is there, of 4 MiB half, of 8 MiB nothing; of lines that the L2 held before the copy half.
#include <cstdio>
#include <cstdlib>
__global__ void total(const float4 *in, size_t n, float *out)
{
	float sum = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
		float4 v = __ldcg(in + i);
		sum += v.x + v.y + v.z + v.w;
	}
	if (sum == 1.5f)
		*out = sum;
}
__global__ void wipe(float4 *to, size_t n)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
		to[i] = make_float4(1, 2, 3, 4);
}
int main()
{
	float *out;
	cudaMalloc(&out, 4);
	char *host = (char *)malloc(64 << 20);
	for (int i = 0; i < (64 << 20); i++)
		host[i] = (char)(i * 7);
	char *pinned;
	cudaMallocHost(&pinned, 64 << 20);
	for (int i = 0; i < (64 << 20); i++)
		pinned[i] = (char)(i * 7);
	size_t sizes[] = {1, 2, 4, 8, 16, 32};
	char *big;
	auto read = [&](char *a, size_t b, const char *label) {
		total<<<1056, 256>>>((float4 *)a, b / 16, out);
		cudaDeviceSynchronize();
		printf("%s %zu\n", label, b >> 20);
	};
	for (size_t mb : sizes)
		for (int r = 0; r < 3; r++) {
			char *a;
			cudaMalloc(&a, mb << 20);
			cudaMemcpy(a, host, mb << 20, cudaMemcpyHostToDevice);
			read(a, mb << 20, "fresh_pageable");
			read(a, mb << 20, "again");
		}
	for (size_t mb : sizes)
		for (int r = 0; r < 3; r++) {
			char *a;
			cudaMalloc(&a, mb << 20);
			cudaMemcpy(a, pinned, mb << 20, cudaMemcpyHostToDevice);
			read(a, mb << 20, "fresh_pinned");
			read(a, mb << 20, "again");
		}
	for (size_t mb : sizes)
		for (int r = 0; r < 3; r++) {
			char *a;
			cudaMalloc(&a, mb << 20);
			read(a, mb << 20, "untouched");
			cudaMemcpy(a, host, mb << 20, cudaMemcpyHostToDevice);
			read(a, mb << 20, "read_then_copied");
		}
	cudaMalloc(&big, 256 << 20);
	for (size_t mb : sizes) {
		char *a;
		cudaMalloc(&a, mb << 20);
		for (int r = 0; r < 3; r++) {
			total<<<1056, 256>>>((float4 *)big, (256 << 20) / 16, out);
			cudaDeviceSynchronize();
			printf("flush 0\n");
			read(a, mb << 20, "after_reads");
			total<<<1056, 256>>>((float4 *)big, (256 << 20) / 16, out);
			cudaDeviceSynchronize();
			printf("flush 0\n");
			cudaMemcpy(a, host, mb << 20, cudaMemcpyHostToDevice);
			read(a, mb << 20, "after_reads_copied");
			wipe<<<1056, 256>>>((float4 *)big, (256 << 20) / 16);
			cudaDeviceSynchronize();
			printf("flush 0\n");
			read(a, mb << 20, "after_writes");
			wipe<<<1056, 256>>>((float4 *)big, (256 << 20) / 16);
			cudaDeviceSynchronize();
			printf("flush 0\n");
			cudaMemcpy(a, host, mb << 20, cudaMemcpyHostToDevice);
			read(a, mb << 20, "after_writes_copied");
			wipe<<<1056, 256>>>((float4 *)big, (256 << 20) / 16);
			cudaDeviceSynchronize();
			printf("flush 0\n");
			cudaMemcpyAsync(a, pinned, mb << 20, cudaMemcpyHostToDevice);
			read(a, mb << 20, "after_writes_pinned");
			cudaMemcpyAsync(a, pinned, mb << 20, cudaMemcpyHostToDevice);
			read(a, mb << 20, "warm_then_pinned");
		}
	}
}
