// Coefficients that are products of parameters; terms that cancel.
__global__ void k(float *a, int n, int m) {
	int i = threadIdx.x;
	a[(i * n + 3) * m + (n + m) * (n - m)] = 0;
	a[(i + n) * (i - n) + n * n] = 0;
	a[(i + n) - (n + i)] = 0;
	a[(i + n) * 2 - 2 * n] = 0;
}
