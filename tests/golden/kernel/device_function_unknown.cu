// A function without a body: what it does to memory is left out.
__device__ int elsewhere(float *a, int *n);
__global__ void k(float *a) {
	int n = 3;
	a[elsewhere(a, &n)] = 0;
	a[n] = 0;
}
