// Ten copies each way: memory for what was copied is allocated once.
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
	for (int t = 0; t < 10; t++) {
		cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
		step<<<n / 256, 256>>>(d, n);
		cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
	}
}
