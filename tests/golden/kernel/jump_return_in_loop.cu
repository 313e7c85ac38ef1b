// A return inside a loop: what follows is guarded by something that is not known.
__global__ void k(float *a, int n) {
	for (int i = 0; i < n; i++) {
		if (a[i] > 0)
			return;
		a[i] = 1;
	}
	a[n] = 2;
}
