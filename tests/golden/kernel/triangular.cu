// Bounds that depend on outer loops and threads.
__global__ void k(float *a, int n) {
	int row = threadIdx.x;
	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n; j++)
			for (int k = row; k <= j; k++)
				a[i * n + j + k] = 0;
}
