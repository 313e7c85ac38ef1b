// args: 1024 768
#include <cstdlib>
#include <cstdio>
#include "sobel_rgba_types.h"

__global__ void sobel(const RGBA *src, RGBA *dst, int w, int h)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
	if (x >= w - 1 || y >= h - 1) return;
	const RGBA *p = src + y * w + x;
	float gx = p[1].r - p[-1].r, gy = p[w].r - p[-w].r;
	dst[y * w + x].r = gx * gx + gy * gy;
	dst[y * w + x].a = p[0].a;
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
	auto *src = device_alloc<RGBA>(w * h);
	auto *dst = device_alloc<RGBA>(w * h);
	sobel<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(src, dst, w, h);
	cudaDeviceSynchronize();
	cudaFree(src);
	cudaFree(dst);
	return 0;
}
