// Warp shuffles: the value is not known, the accesses are.
__global__ void k(const int *a, int *b) {
	int v = a[threadIdx.x];
	for (int d = 16; d > 0; d >>= 1)
		v += __shfl_down_sync(0xffffffffu, v, d);
	if (threadIdx.x % 32 == 0)
		b[threadIdx.x / 32] = v;
	b[__shfl_sync(0xffffffffu, v, 0)] = 1;
}
