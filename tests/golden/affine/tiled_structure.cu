// Shift and mask of tiles of 32 are not affine.
struct tile { float x[32], y[32]; };
__global__ void k(tile *p, int n) {
	int e = blockIdx.x * blockDim.x + threadIdx.x;
	if (e < n)
		p[e >> 5].x[e & 31] = p[e >> 5].y[e & 31];
}
