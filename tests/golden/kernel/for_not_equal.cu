// A loop that ends by !=.
__global__ void k(float *a, int n) {
	for (int i = 0; i != n; i++)
		a[i * 2] = 0;
}
