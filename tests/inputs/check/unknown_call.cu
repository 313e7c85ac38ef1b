// not checked: the program calls cudaGraphCreate, which
#include <cstdio>
struct body {
	float x, y, z;
};

__global__ void step(body *p, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i].x += p[i].y * p[i].z;
}

int main()
{
	const int n = 40;
	static body h[n];
	body *d;
	cudaGraph_t graph;
	cudaGraphCreate(&graph, 0);
	cudaMalloc(&d, n * sizeof(body));
	cudaMemcpy(d, h, n * sizeof(body), cudaMemcpyHostToDevice);
	step<<<1, 64>>>(d, n);
	cudaMemcpy(h, d, n * sizeof(body), cudaMemcpyDeviceToHost);
	printf("%g\n", h[1].x);
	cudaFree(d);
	return 0;
}
