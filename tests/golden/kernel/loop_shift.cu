// Loop variables that are halved and doubled.
__global__ void k(float *a) {
	for (int s = blockDim.x / 2; s > 0; s >>= 1)
		if (threadIdx.x < s)
			a[threadIdx.x] += a[threadIdx.x + s];
	for (int d = 1; d < 256; d *= 2)
		a[threadIdx.x * d] = 0;
	for (int d = 64; d > 0; d /= 2)
		a[d] = 0;
}
