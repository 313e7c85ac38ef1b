// args: 131072
#include <cstdlib>
#include <cstdio>
#include "morton_codes_types.h"

__device__ unsigned expand(unsigned v)
{
	v = (v * 0x00010001u) & 0xFF0000FFu;
	v = (v * 0x00000101u) & 0x0F00F00Fu;
	v = (v * 0x00000011u) & 0xC30C30C3u;
	return (v * 0x00000005u) & 0x49249249u;
}
__global__ void morton(const P3 *p, unsigned *code, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) code[i] = expand((unsigned)(p[i].x * 1023.f)) * 4 + expand((unsigned)(p[i].y * 1023.f)) * 2 + expand((unsigned)(p[i].z * 1023.f));
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
	auto *p = device_alloc<P3>(n);
	auto *code = device_alloc<unsigned>(n);
	morton<<<(n + 255) / 256, 256>>>(p, code, n);
	cudaDeviceSynchronize();
	cudaFree(p);
	cudaFree(code);
	return 0;
}
