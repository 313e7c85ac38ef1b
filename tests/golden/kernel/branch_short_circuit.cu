// The right side of && runs under the left one.
__global__ void k(const int *a, int *b, int n) {
	int i = threadIdx.x;
	if (i < n && a[i] > 0)
		b[i] = 1;
	if (i >= n || a[i] == 0 || b[0])
		b[i + 1] = 2;
}
