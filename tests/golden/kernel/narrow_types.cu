// Indices of narrow and wide types: casts are kept.
__global__ void k(float *a, unsigned char *b, long long offset, unsigned n) {
	unsigned char c = threadIdx.x;
	short s = (short)(threadIdx.x * 3);
	a[c] = 0;
	a[s] = 0;
	a[offset + threadIdx.x] = 0;
	a[n - threadIdx.x] = 0;
	size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = b[i];
}
