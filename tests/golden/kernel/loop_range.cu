// Loops over ranges, and conditions that declare.
__device__ int next(int i) { return i / 2; }
__global__ void k(int *a, int m) {
	int four[4] = {1, 2, 3, 4};
	for (int x : four)
		a[threadIdx.x] += x;
	for (int &x : four)
		a[x] = 0;
	while (int q = next(m)) {
		a[q] = 0;
		m = q;
	}
	if (int q = next(m); q > 2)
		a[q] = 0;
	if (int q = next(m))
		a[q] = 1;
	for (int j = 0; int q = next(m + j); j++)
		a[j] = q;
}
