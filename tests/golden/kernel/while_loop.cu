// A while loop with an invariant step.
__global__ void k(float *a, int n) {
	int i = threadIdx.x;
	while (i < n) {
		a[i] = 0;
		i += blockDim.x;
	}
	while (n--)
		a[n] = 1;
}
