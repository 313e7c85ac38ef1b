// Copies that do not wait allocate each time.
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
	cudaStream_t s;
	cudaStreamCreate(&s);
	cudaMallocHost(&h, bytes);
	cudaMalloc(&d, bytes);
	for (int t = 0; t < 10; t++) {
		cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s);
		step<<<n / 256, 256, 0, s>>>(d, n);
		cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, s);
	}
	cudaStreamSynchronize(s);
}
