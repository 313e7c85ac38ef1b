// What stands behind a break runs where it was not taken.
__global__ void k(const float *a, float *b, int n, int m) {
	for (int i = 0; i < n; i++) {
		if (i > m)
			break;
		b[i] = a[i];
	}
	b[n] = 0;
}
