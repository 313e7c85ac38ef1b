// A parameter that is moved once.
__global__ void k(float *a, const float *b, int n) {
	a += blockIdx.x * n;
	b = b + blockIdx.x * n;
	a[threadIdx.x] = b[threadIdx.x];
}
