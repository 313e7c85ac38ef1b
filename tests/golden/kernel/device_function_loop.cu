// A device function with a loop of its own.
__device__ float sum(const float *a, int n) {
	float s = 0;
	for (int i = 0; i < n; i++)
		s += a[i];
	return s;
}
__global__ void k(const float *a, float *out, int n) {
	out[threadIdx.x] = sum(a + threadIdx.x * n, n);
	out[threadIdx.x + 1] = sum(a, 7);
}
