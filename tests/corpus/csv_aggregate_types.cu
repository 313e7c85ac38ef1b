// args: 131072
#include <cstdlib>
#include <cstdio>
#include "csv_aggregate_types.h"

__global__ void revenue(const Row *rows, float *bucket, int n)
{
	for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x)
		atomicAdd(&bucket[rows[i].key & 1023], rows[i].price * rows[i].qty);
}

template <class T> static T *device_alloc(size_t count)
{
	void *p = nullptr;
	if (cudaMalloc(&p, count * sizeof(T)) != cudaSuccess)
		abort();
	return static_cast<T *>(p);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 65536;
	auto *rows = device_alloc<Row>(n);
	auto *bucket = device_alloc<float>(1024);
	revenue<<<(n + 255) / 256, 256>>>(rows, bucket, n);
	cudaDeviceSynchronize();
	cudaFree(rows);
	cudaFree(bucket);
	return 0;
}
