/*
 * Local alignment by Smith and Waterman with affine gaps (Gotoh): one antidiagonal of the matrix per launch, a thread per cell; the matrix lies row by row.
 */
#include <cstdio>
#include <cuda_runtime.h>

struct cell {
	int best, across, down;
};

__global__ void __launch_bounds__(128) diagonal(cell *cells, const unsigned char *a, const unsigned char *b, int width, int d, int first, int count)
{
	int t = blockIdx.x * blockDim.x + threadIdx.x;
	if (t >= count)
		return;
	int row = first + t, column = d - row, i = row * width + column;
	int left = i - 1, above = i - width, corner = above - 1;
	int across = max(cells[left].best - 11, cells[left].across - 1);
	int down = max(cells[above].best - 11, cells[above].down - 1);
	int match = cells[corner].best + (a[row] == b[column] ? 5 : -4);
	cells[i].across = across;
	cells[i].down = down;
	cells[i].best = max(max(match, 0), max(across, down));
}

int main()
{
	cell *cells;
	cudaMalloc(&cells, 16384 * 16384 * sizeof(cell));
	cudaMemset(cells, 0, 16384 * 16384 * sizeof(cell));
	unsigned char *a;
	cudaMalloc(&a, 16384 * sizeof(unsigned char));
	cudaMemset(a, 0, 16384 * sizeof(unsigned char));
	unsigned char *b;
	cudaMalloc(&b, 16384 * sizeof(unsigned char));
	cudaMemset(b, 0, 16384 * sizeof(unsigned char));
	diagonal<<<16, 128>>>(cells, a, b, 2048, 2048, 1, 2047);
	diagonal<<<64, 128>>>(cells, a, b, 8192, 8192, 1, 8191);
	diagonal<<<128, 128>>>(cells, a, b, 16384, 16384, 1, 16383);
	cudaError_t error = cudaDeviceSynchronize();
	printf("%s\n", cudaGetErrorString(error));
	return error != cudaSuccess;
}
