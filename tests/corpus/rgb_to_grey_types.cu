// args: 1024 768
#include <cstdlib>
#include <cstdio>
#include "rgb_to_grey_types.h"

__global__ void grey(const Pixel *in, unsigned char *out, int width, int height)
{
	int col = blockIdx.x * blockDim.x + threadIdx.x;
	int row = blockIdx.y * blockDim.y + threadIdx.y;
	if (row < height && col < width) {
		Pixel p = in[row * width + col];
		out[row * width + col] = (unsigned char)(0.299f * p.r + 0.587f * p.g + 0.114f * p.b);
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
	int w = argc > 1 ? atoi(argv[1]) : 512;
	int h = argc > 2 ? atoi(argv[2]) : 384;
	auto *in = device_alloc<Pixel>(w * h);
	auto *out = device_alloc<unsigned char>(w * h);
	grey<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(in, out, w, h);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	return 0;
}
