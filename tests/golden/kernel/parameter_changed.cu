// Parameters that are changed.
__global__ void k(float *a, int n) {
	n = n / 2 + 1;
	a[threadIdx.x * n] = 0;
	n += threadIdx.x;
	a[n] = 0;
}
