// args: 1024 768
#include <cstdlib>
#include <cstdio>
#include "embedding_lookup_types.h"

__global__ void embed(const Token *tok, const float *table, float *out, int n, int dim)
{
	int t = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
	if (t < n && k < dim) out[t * dim + k] = tok[t].weight * table[tok[t].id * dim + k];
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
	int w = argc > 1 ? atoi(argv[1]) : 512;
	int h = argc > 2 ? atoi(argv[2]) : 384;
	auto *tok = device_alloc<Token>(h);
	auto *table = device_alloc<float>(w * h);
	auto *out = device_alloc<float>(w * h);
	embed<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(tok, table, out, h, w);
	cudaDeviceSynchronize();
	cudaFree(tok);
	cudaFree(table);
	cudaFree(out);
	return 0;
}
