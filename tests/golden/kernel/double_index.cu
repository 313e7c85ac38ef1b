// 64-bit indices and sizes.
__global__ void k(double *a, unsigned long long n, long m) {
	unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
	if (i < n)
		a[i * m] = a[n - 1 - i];
}
