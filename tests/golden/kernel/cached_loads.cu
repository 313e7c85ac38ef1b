// Loads and stores through functions.
__global__ void k(const float *a, float *b) {
	int i = threadIdx.x;
	b[i] = __ldg(&a[i]) + __ldg(a + i + 1) + __ldcg(&a[2 * i]);
	__stcs(&b[i + 32], 1.0f);
}
