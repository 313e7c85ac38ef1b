// Guards by return, also nested ones.
__global__ void k(float *a, int n, int m) {
	int i = threadIdx.x;
	if (i >= n)
		return;
	a[i] = 0;
	if (i > 3) {
		if (m < 5)
			return;
		a[i + 1] = 0;
	}
	a[i + 2] = 0;
}
