// const and __restrict__ of parameters.
__global__ void k(const float *__restrict__ a, float *__restrict b, float *const c, const int n, const float *d) {
	b[threadIdx.x] = a[threadIdx.x] + d[n];
	c[0] = 0;
}
