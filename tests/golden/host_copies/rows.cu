// Copies of rows: half of the records, as bytes of a row times rows.
#include <cstdlib>
#include <cuda_runtime.h>
struct cell { float a, b, c; };

__global__ void step(cell *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].a += p[i].b;
}
int main()
{
	const int n = 1 << 20;
	const size_t bytes = n * sizeof(cell);
	cell *h, *d;
	cudaMallocHost(&h, bytes);
	cudaMalloc(&d, bytes);
	cudaMemcpy2D(d, 1024 * sizeof(cell), h, 1024 * sizeof(cell), 512 * sizeof(cell), 1024, cudaMemcpyHostToDevice);
	step<<<n / 256, 256>>>(d, n);
}
