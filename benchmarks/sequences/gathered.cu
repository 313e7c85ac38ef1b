// A table of records that a list of indices reads, again and again; the list is a shuffled walk.
#include <cstdlib>
#include <cuda_runtime.h>

struct cell {
	float height, u, v, bottom;
};

__global__ void walk(int *index, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	index[i] = (int)((i * 7919LL + 13) % n);
}

__global__ void gather(const cell *c, const int *index, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	out[i] = c[index[i]].height * c[index[i]].u;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	cell *c;
	int *index;
	float *out;
	cudaMalloc(&c, n * sizeof(cell));
	cudaMalloc(&index, n * sizeof(int));
	cudaMalloc(&out, n * sizeof(float));
	cudaMemset(c, 0, n * sizeof(cell));
	walk<<<(n + 255) / 256, 256>>>(index, n);
	for (int step = 0; step < 20; step++)
		gather<<<(n + 255) / 256, 256>>>(c, index, out, n);
	cudaDeviceSynchronize();
	cudaFree(c);
	cudaFree(index);
	cudaFree(out);
}
