// Managed memory: pages move, nothing is converted; the padding moves with them.
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
	cell *d;
	cudaMallocManaged(&d, bytes);
	for (int i = 0; i < n; i++)
		d[i].a = d[i].b = 1;
	step<<<n / 256, 256>>>(d, n);
	cudaDeviceSynchronize();
}
