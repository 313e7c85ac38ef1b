// std::array's elements, and loops that a step in their condition ends.
#include <array>
#include <initializer_list>
__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 2 * a[i]; }
int main()
{
	float *a, error = 1;
	constexpr std::array<unsigned, 2> sizes{1u << 14, 1u << 17};
	std::array<int, 3> three = {4096, 8192};
	int tries = 0, rounds = 10;
	cudaMalloc(&a, 1 << 24);
	k<<<three[1] / 256, 256>>>(a, three.size());
	three[2] = 512;
	k<<<three[2] / 256, 256>>>(a, sizes[0]);
	for (unsigned n : sizes)
		k<<<64, 256>>>(a, n);
	do {
		k<<<4, 256>>>(a, 1024);
		cudaMemcpy(&error, a, 4, cudaMemcpyDeviceToHost);
	} while (error > 1e-4f && ++tries < 100);
	while (error > 1e-6f && rounds-- > 0) {
		k<<<8, 256>>>(a, 2048);
		cudaMemcpy(&error, a, 4, cudaMemcpyDeviceToHost);
	}
}
