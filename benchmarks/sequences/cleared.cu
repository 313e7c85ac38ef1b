// A memset before a kernel that adds to what it cleared, in a loop over one array.
#include <cstdlib>
#include <cuda_runtime.h>

struct cell {
	float height, u, v, bottom;
};

__global__ void deposit(const cell *c, float *sum, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	sum[i] += c[i].height + c[i].u * c[i].v;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	cell *c;
	float *sum;
	cudaMalloc(&c, n * sizeof(cell));
	cudaMalloc(&sum, n * sizeof(float));
	cudaMemset(c, 0, n * sizeof(cell));
	cudaMemset(sum, 0, n * sizeof(float));
	for (int step = 0; step < 20; step++)
		deposit<<<(n + 255) / 256, 256>>>(c, sum, n);
	cudaDeviceSynchronize();
	cudaFree(c);
	cudaFree(sum);
}
