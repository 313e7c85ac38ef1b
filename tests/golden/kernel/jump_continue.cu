// What stands behind a continue is guarded; a step behind it is irregular.
__global__ void k(float *a, int n) {
	int j = 0;
	for (int i = 0; i < n; i++) {
		if (i % 3 == 0)
			continue;
		a[i] = 0;
		a[j] = 1;
		j++;
	}
}
