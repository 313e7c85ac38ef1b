// args: 131072
#include <cstdlib>
#include <cstdio>
#include "nbody_float4_types.h"

__global__ void gravity(const Body *b, float4 *acc, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n) return;
	float4 me = b[i], a = make_float4(0, 0, 0, 0);
	for (int j = 0; j < n; j++) {
		float dx = b[j].x - me.x, dy = b[j].y - me.y, dz = b[j].z - me.z;
		float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f), s = b[j].w * inv * inv * inv;
		a.x += s * dx; a.y += s * dy; a.z += s * dz;
	}
	acc[i] = a;
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
	auto *b = device_alloc<Body>(n);
	auto *acc = device_alloc<float4>(n);
	gravity<<<(n + 255) / 256, 256>>>(b, acc, n);
	cudaDeviceSynchronize();
	cudaFree(b);
	cudaFree(acc);
	return 0;
}
