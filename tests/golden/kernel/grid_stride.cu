// The grid-stride loop, with int and with size_t.
__global__ void k(float *a, const float *b, int n, size_t m) {
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
		a[i] = b[i];
	const size_t stride = (size_t)gridDim.x * blockDim.x;
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < m; i += stride)
		a[2 * i + 1] = b[i];
}
