// Loops that count down.
__global__ void k(float *a, int n) {
	for (int i = n - 1; i >= 0; i--)
		a[i] = 0;
	for (unsigned i = 8; i > 0; --i)
		a[i - 1] = 1;
	for (int i = n; i-- > 0;)
		a[i] = 2;
}
