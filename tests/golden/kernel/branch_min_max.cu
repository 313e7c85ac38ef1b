// min, max, abs, clamp.
__global__ void k(const float *a, float *b, int n) {
	int i = threadIdx.x;
	b[i] = a[min(i + 1, n - 1)] + a[max(i - 1, 0)] + a[abs(i - 3)];
}
