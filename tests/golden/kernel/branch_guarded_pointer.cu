// A pointer that depends on a branch.
__global__ void k(float *a, float *b, int n) {
	float *p = a;
	if (n > 0)
		p = a + 5;
	p[threadIdx.x] = 0;
	float *q = n > 1 ? a : b;
	q[threadIdx.x] = 0;
}
