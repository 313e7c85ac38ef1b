// A template of the program's own makes device memory; another is told bytes, which are those of no other type.
#include <cstdlib>

struct sample {
	float re, im;
	int id;
};

template <typename T> static T *device_alloc(size_t count)
{
	void *memory = nullptr;

	if (cudaMalloc(&memory, count * sizeof(T)) != cudaSuccess)
		abort();
	return static_cast<T *>(memory);
}

__global__ void mix(const sample *in, sample *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n) {
		out[i].re = in[i].im;
		out[i].im = in[i].re;
		out[i].id = i;
	}
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 65536, half = n / 2;
	auto *in = device_alloc<sample>(n);
	sample *out = device_alloc<sample>(2 * half);

	mix<<<(n + 255) / 256, 256>>>(in, out, n);
	cudaFree(in);
	cudaFree(out);
	return 0;
}
