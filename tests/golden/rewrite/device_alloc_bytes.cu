// The template that makes the memory is told bytes: it would be told wrong ones for another type.
// incomplete: refused
struct sample {
	float re, im;
};

template <typename T> static T *device_bytes(size_t bytes)
{
	T *memory = nullptr;

	cudaMalloc(&memory, bytes);
	return memory;
}

__global__ void mix(sample *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		p[i].re += p[i].im;
}

int main()
{
	const int n = 1024;
	const size_t bytes = n * 8;
	sample *p = device_bytes<sample>(bytes);

	mix<<<(n + 255) / 256, 256>>>(p, n);
	cudaFree(p);
	return 0;
}
