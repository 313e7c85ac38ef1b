// Steps other than one, and bounds that are not reached exactly.
__global__ void k(float *a, int n) {
	for (int i = 3; i < n; i += 4)
		a[i] = 0;
	for (int i = 0; i <= 10; i += 3)
		a[i + threadIdx.x] = 0;
}
