// A record and a kernel template in an unnamed namespace.
#include <cstdio>

namespace {

struct cell {
	float u, v;
};

template <typename T> __global__ void step(T *cells, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		cells[i].u += cells[i].v;
}

} // namespace

int main()
{
	const int n = 64;
	cell host[n], *cells;
	double sum = 0;

	for (int i = 0; i < n; i++)
		host[i] = {1.0f * i, 2.0f};
	cudaMalloc(&cells, n * sizeof(cell));
	cudaMemcpy(cells, host, n * sizeof(cell), cudaMemcpyHostToDevice);
	step<<<2, 32>>>(cells, n);
	cudaMemcpy(host, cells, n * sizeof(cell), cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		sum += host[i].u;
	printf("%g\n", sum);
	cudaFree(cells);
	return 0;
}
