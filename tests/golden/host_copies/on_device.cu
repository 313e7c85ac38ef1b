// Copies from device memory to device memory cost no conversion.
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
	cell *d, *e;
	cudaMalloc(&d, bytes);
	cudaMalloc(&e, bytes);
	cudaMemcpy(d, e, bytes, cudaMemcpyDeviceToDevice);
	step<<<n / 256, 256>>>(d, n);
}
