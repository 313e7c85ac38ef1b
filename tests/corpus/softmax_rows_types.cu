// args: 1024
#include <cstdlib>
#include <cstdio>
#include "softmax_rows_types.h"

__global__ void softmax(const Logit *in, float *out, int cols)
{
	__shared__ float part[256];
	const Logit *row = in + (size_t)blockIdx.x * cols;
	float s = 0;
	for (int j = threadIdx.x; j < cols; j += blockDim.x) s += expf(row[j].value) * row[j].mask;
	part[threadIdx.x] = s;
	__syncthreads();
	for (int o = blockDim.x / 2; o > 0; o >>= 1) {
		if (threadIdx.x < o) part[threadIdx.x] += part[threadIdx.x + o];
		__syncthreads();
	}
	for (int j = threadIdx.x; j < cols; j += blockDim.x) out[(size_t)blockIdx.x * cols + j] = expf(row[j].value) / part[0];
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
	int n = argc > 1 ? atoi(argv[1]) : 512;
	auto *in = device_alloc<Logit>(1024 * n);
	auto *out = device_alloc<float>(1024 * n);
	softmax<<<n, 256>>>(in, out, 1024);
	cudaDeviceSynchronize();
	cudaFree(in);
	cudaFree(out);
	return 0;
}
