// Values that depend on a branch are selections.
__global__ void k(float *a, int n) {
	int i = threadIdx.x, j = 0, s;
	if (i < n)
		j = i * 2;
	else
		j = n;
	a[j] = 0;
	if (i == 0)
		s = 1;
	else if (i == 1)
		s = 2;
	else
		s = 3;
	a[s] = 0;
}
