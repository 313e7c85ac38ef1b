// args: 1024 768
#include <cstdlib>
#include <cstdio>
#include "advect_texture_free_types.h"

__device__ __forceinline__ float lerpf(float a, float b, float t) { return a + t * (b - a); }
__global__ void advect(const Vel *vel, const float *in, float *out, int w, int h)
{
	const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
	if (x < w && y < h) {
		const int c = x + y * w;
		float px = fminf(fmaxf(x - vel[c].u, 0.f), w - 2.f), py = fminf(fmaxf(y - vel[c].v, 0.f), h - 2.f);
		int ix = (int)px, iy = (int)py, s = ix + iy * w;
		out[c] = lerpf(lerpf(in[s], in[s + 1], px - ix), lerpf(in[s + w], in[s + w + 1], px - ix), py - iy);
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
	auto *vel = device_alloc<Vel>(w * h);
	auto *in = device_alloc<float>(w * h);
	auto *out = device_alloc<float>(w * h);
	advect<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(vel, in, out, w, h);
	cudaDeviceSynchronize();
	cudaFree(vel);
	cudaFree(in);
	cudaFree(out);
	return 0;
}
