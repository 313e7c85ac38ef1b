// A loop without a condition, left by break.
__global__ void k(float *a, int n) {
	int i = 0;
	for (;;) {
		if (i >= n)
			break;
		a[i] = 0;
		i++;
	}
	a[n] = i;
}
