// args: 131072
#include <cstdlib>
#include <cstdio>
#include "pic_deposit_types.h"

__global__ void deposit(const Charge *c, float *rho, int n, int cells)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) {
		int g = (int)(c[i].x * cells);
		g = g < 0 ? 0 : g >= cells - 1 ? cells - 2 : g;
		atomicAdd(&rho[g], c[i].q);
		atomicAdd(&rho[g + 1], c[i].q);
	}
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
	auto *c = device_alloc<Charge>(n);
	auto *rho = device_alloc<float>(4096);
	deposit<<<(n + 255) / 256, 256>>>(c, rho, n, 4096);
	cudaDeviceSynchronize();
	cudaFree(c);
	cudaFree(rho);
	return 0;
}
