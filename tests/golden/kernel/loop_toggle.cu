// A buffer number that alternates.
__global__ void k(float *a, int n) {
	int buffer = 0;
	for (int i = 0; i < n; i++) {
		a[buffer * 64 + threadIdx.x] = 0;
		buffer ^= 1;
	}
}
