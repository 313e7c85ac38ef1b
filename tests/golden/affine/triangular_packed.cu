// A packed triangle: the square of an iterator.
__global__ void k(float *a, int n) {
	for (int i = 0; i < n; i++)
		for (int j = 0; j <= i; j++)
			a[i * (i + 1) / 2 + j] = threadIdx.x;
}
