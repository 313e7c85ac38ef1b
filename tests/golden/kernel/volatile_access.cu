// volatile pointers.
__global__ void k(volatile float *a) {
	volatile __shared__ int s[32];
	s[threadIdx.x] = 1;
	a[threadIdx.x] = s[threadIdx.x + 1] + a[threadIdx.x + 2];
}
