// Two loop variables, one of them stepped in the body.
__global__ void k(float *a, int n) {
	int j = threadIdx.x;
	for (int i = 0, m = n; i < m; i++, m--) {
		a[j] = i;
		j += 2;
		a[j] = m;
	}
	a[j] = 0;
}
