// args: 131072
#include <cstdlib>
#include <cstdio>
#include "goertzel_bank_types.h"

__global__ void goertzel(Tone *bank, const float *x, int tones, int len)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= tones) return;
	float q1 = 0, q2 = 0;
	for (int i = 0; i < len; i++) { float q0 = bank[t].coeff * q1 - q2 + x[i]; q2 = q1; q1 = q0; }
	bank[t].q1 = q1;
	bank[t].q2 = q2;
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
	auto *bank = device_alloc<Tone>(n);
	auto *x = device_alloc<float>(512);
	goertzel<<<(n + 255) / 256, 256>>>(bank, x, n, 512);
	cudaDeviceSynchronize();
	cudaFree(bank);
	cudaFree(x);
	return 0;
}
