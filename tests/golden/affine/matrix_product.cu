// The naive product: rows of A, columns of B.
__global__ void k(const float *A, const float *B, float *C, int n) {
	int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
	float s = 0;
	for (int k = 0; k < n; k++)
		s += A[i * n + k] * B[k * n + j];
	C[i * n + j] = s;
}
