// A branch on data: the condition is not known, the accesses are.
__global__ void k(const float *a, float *b) {
	int i = threadIdx.x, j = 0;
	if (a[i] > 0.5f) {
		b[i] = 1;
		j = 5;
	}
	b[j] = 2;
}
