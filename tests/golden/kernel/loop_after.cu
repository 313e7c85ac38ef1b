// Values after a loop that runs to its end.
__global__ void k(float *a, int n) {
	int i;
	for (i = 0; i < n; i += 3)
		a[i] = 0;
	a[i] = 1;
}
