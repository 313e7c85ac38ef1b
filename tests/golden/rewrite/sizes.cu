// Members of different sizes: as many records as the largest array has elements. Errors are checked in every style there is.
// args: --group d_matrix,d_row
#include <stdio.h>
#define CHECK(call) do { if ((call) != cudaSuccess) return 1; } while (0)

__global__ void sums(const double *matrix, double *row, int n)
{
	int i = threadIdx.x;

	row[i] = 0;
	for (int j = 0; j < n; j++)
		row[i] += matrix[i * n + j];
}

int main(void)
{
	int n = 9;
	size_t bytes = n * n * sizeof(double);
	double matrix[81], row[9];
	double *d_matrix, *d_row;
	cudaError_t error;

	for (int i = 0; i < n * n; i++)
		matrix[i] = i;
	CHECK(cudaMalloc(&d_matrix, bytes));
	error = cudaMalloc(&d_row, sizeof(double) * n);
	if (error != cudaSuccess)
		return 1;
	if (cudaMemcpy(d_matrix, matrix, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
		return 1;
	sums<<<1, n>>>(d_matrix, d_row, n);
	CHECK(cudaMemcpy(row, d_row, sizeof(double) * n, cudaMemcpyDeviceToHost));
	for (int i = 0; i < n; i++)
		printf("%g\n", row[i]);
	CHECK(cudaFree(d_row));
	error = cudaFree(d_matrix);
	return error != cudaSuccess;
}
