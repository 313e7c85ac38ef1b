// A do loop runs at least once.
__global__ void k(float *a, int n) {
	int i = 0;
	do {
		a[i] = 0;
		i += 2;
	} while (i < n);
}
