// The comma operator and assignments inside expressions.
__global__ void k(float *a, int n) {
	int i, j;
	i = j = threadIdx.x;
	a[(i += 2, i * n)] = 0;
	a[j = i + 1] = 0;
	a[j++] = a[++j];
	for (i = 0, j = n; i < j; i++, j--)
		a[i] = a[j];
}
