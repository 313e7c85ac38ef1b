// The difference of two pointers into one array.
__global__ void k(float *a) {
	float *p = a + threadIdx.x * 4, *q = a + 3;
	a[p - q] = 0;
}
