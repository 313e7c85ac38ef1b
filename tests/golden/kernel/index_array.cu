// Indirect indexing: the index is a value loaded from memory.
__global__ void k(const float *x, const int *idx, float *y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		y[i] = x[idx[i]] + x[3 * idx[i + n] + 1];
}
