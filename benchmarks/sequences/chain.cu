// Three kernels that each run once: every one reads what the one before wrote.
#include <cstdlib>
#include <cuda_runtime.h>

struct cell {
	float height, u, v, bottom;
};

__global__ void fill(cell *c, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	c[i].height = i;
	c[i].u = 1;
	c[i].v = 2;
	c[i].bottom = 0;
}

__global__ void advance(const cell *c, cell *d, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	d[i].height = c[i].height + c[i].u;
	d[i].u = c[i].u;
	d[i].v = c[i].v;
	d[i].bottom = c[i].bottom;
}

__global__ void depth(const cell *d, float *out, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	out[i] = d[i].height - d[i].bottom;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1 << 18;
	cell *c, *d;
	float *out;
	cudaMalloc(&c, n * sizeof(cell));
	cudaMalloc(&d, n * sizeof(cell));
	cudaMalloc(&out, n * sizeof(float));
	fill<<<(n + 255) / 256, 256>>>(c, n);
	advance<<<(n + 255) / 256, 256>>>(c, d, n);
	depth<<<(n + 255) / 256, 256>>>(d, out, n);
	cudaDeviceSynchronize();
	cudaFree(c);
	cudaFree(d);
	cudaFree(out);
}
