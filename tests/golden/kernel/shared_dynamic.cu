// Dynamic shared memory, carved into two arrays.
extern __shared__ float buffer[];
__global__ void k(float *a, int n) {
	float *left = buffer, *right = &buffer[n];
	int *flags = (int *)(buffer + 2 * n);
	left[threadIdx.x] = a[threadIdx.x];
	right[threadIdx.x] = left[threadIdx.x + 1];
	flags[threadIdx.x] = 1;
}
