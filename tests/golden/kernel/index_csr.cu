// Rows of a sparse matrix: the bounds of the inner loop are loaded.
__global__ void k(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
	float s = 0;
	for (int j = row[i]; j < row[i + 1]; j++)
		s += value[j] * x[column[j]];
	y[i] = s;
}
