// A block-stride loop around a tile loop.
__global__ void k(const float *a, float *b, int n) {
	__shared__ float tile[128];
	float s = 0;
	for (int base = 0; base < n; base += 128) {
		tile[threadIdx.x] = a[base + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < 128; j++)
			s += tile[j];
		__syncthreads();
	}
	b[threadIdx.x] = s;
}
