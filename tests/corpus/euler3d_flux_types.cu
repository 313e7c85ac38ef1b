// args: 131072
#include <cstdlib>
#include <cstdio>
#include "euler3d_flux_types.h"

__global__ void flux(const Conserved *u, Conserved *f, int n, float gamma)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		Conserved c = u[i];
		float v = c.mx / c.rho, p = (gamma - 1) * (c.e - 0.5f * (c.mx * c.mx + c.my * c.my + c.mz * c.mz) / c.rho);
		f[i].rho = c.mx;
		f[i].mx = c.mx * v + p;
		f[i].my = c.my * v;
		f[i].mz = c.mz * v;
		f[i].e = v * (c.e + p);
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
	auto *u = device_alloc<Conserved>(n);
	auto *f = device_alloc<Conserved>(n);
	flux<<<(n + 255) / 256, 256>>>(u, f, n, 1.4f);
	cudaDeviceSynchronize();
	cudaFree(u);
	cudaFree(f);
	return 0;
}
