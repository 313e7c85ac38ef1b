/* Calls of the system in machine code: an assertion holds, and what prints comes back and changes nothing but what it returns. */
#include <assert.h>
#include <stdio.h>

struct Cell {
	int visits;
	float weight;
};

__global__ void asserted(Cell *cells, const float *table, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int round = 0; round < n; round++) {
		float sum = 0;
		for (int k = 0; k < 32; k++)
			sum += table[k] * cells[i].weight;
		assert(sum > 1 && "sum");
		cells[i].weight = sum;
	}
}

__global__ void trapped(Cell *cells, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int round = 0; round < n; round++) {
		if (cells[i].visits > 7)
			__trap();
		cells[i].visits++;
	}
}

__global__ void printed(Cell *cells, const float *table, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int round = 0; round < n; round++) {
		cells[i].weight += table[round];
		if (i == 0)
			printf("%d\n", round);
		cells[i].visits++;
	}
}

__global__ void printed_if(Cell *cells, const float *table, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int round = 0; round < n; round++) {
		cells[i].weight += table[round];
		if (cells[i].visits > 7)
			cells[i].visits = printf("%d\n", i);
	}
}

int main()
{
	Cell *cells;
	float *table;

	cudaMalloc(&cells, 4096 * sizeof(Cell));
	cudaMalloc(&table, 64 * sizeof(float));
	asserted<<<4, 1024>>>(cells, table, 10);
	trapped<<<4, 1024>>>(cells, 10);
	printed<<<4, 1024>>>(cells, table, 10);
	printed_if<<<4, 1024>>>(cells, table, 10);
	cudaDeviceSynchronize();
}
