// ?: as value, as condition, and with accesses in it.
__global__ void k(const float *a, float *b, int n) {
	int i = threadIdx.x;
	int left = i > 0 ? i - 1 : 0;
	b[i] = i + 1 < n ? a[i + 1] : a[left];
	b[n > 4 ? i : 0] = 0;
}
