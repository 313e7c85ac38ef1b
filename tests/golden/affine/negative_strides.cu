// Backwards, with unsigned and signed arithmetic.
__global__ void k(float *a, unsigned n) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	a[n - 1 - i] = 0;
	a[(int)(n - i) * 2 - 4] = 0;
	for (int d = -1; d <= 1; d++)
		a[i + d] = 0;
}
