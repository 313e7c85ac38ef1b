// Division, remainder, shifts and masks are expressions, not affine unless they come out even.
__global__ void k(float *a, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i / 4] = 0;
	a[i % n] = 0;
	a[(i >> 5) * 64 + (i & 31)] = 0;
	a[8 * i / 4] = 0;
	a[i << 3] = 0;
	a[(16 * i) >> 2] = 0;
	a[i ^ 1] = 0;
	a[i * i] = 0;
	a[i * n + n * n] = 0;
	a[-i + 100] = 0;
	a[~i] = 0;
}
