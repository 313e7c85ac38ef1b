// Variables that change irregularly are unknown, with the reason.
__global__ void k(float *a, int n) {
	int j = 0, m = 1, last = 0;
	for (int i = 0; i < n; i++) {
		if (i & 1)
			j += 3;
		a[j] = 0;
		m = m * 3;
		a[m] = 0;
		a[last] = 0;
		last = i;
	}
}
