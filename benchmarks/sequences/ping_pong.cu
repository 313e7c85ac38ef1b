// A stencil between two arrays that change places: what one step writes the next one reads.
#include <cstdlib>
#include <cuda_runtime.h>

struct cell {
	float height, u, v, bottom;
};

__global__ void smooth(const cell *from, cell *to, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < 1 || i >= n - 1)
		return;
	to[i].height = 0.25f * from[i - 1].height + 0.5f * from[i].height + 0.25f * from[i + 1].height;
	to[i].u = from[i].u - 0.1f * (from[i + 1].height - from[i - 1].height);
	to[i].v = from[i].v;
	to[i].bottom = from[i].bottom;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	cell *a, *b;
	cudaMalloc(&a, n * sizeof(cell));
	cudaMalloc(&b, n * sizeof(cell));
	cudaMemset(a, 0, n * sizeof(cell));
	for (int step = 0; step < 25; step++) {
		smooth<<<(n + 255) / 256, 256>>>(a, b, n);
		smooth<<<(n + 255) / 256, 256>>>(b, a, n);
	}
	cudaDeviceSynchronize();
	cudaFree(a);
	cudaFree(b);
}
