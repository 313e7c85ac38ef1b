// Members of a loaded int2 are indices: an indirect access.
__global__ void k(const int2 *edge, const float *x, float *y) {
	int2 e = edge[threadIdx.x];
	y[e.x] = x[e.y];
}
