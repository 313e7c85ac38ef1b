// Neighbours in three dimensions.
__global__ void k(const float *in, float *out, int nx, int ny) {
	int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
	for (int z = 1; z < 63; z++) {
		int c = (z * ny + y) * nx + x;
		out[c] = in[c - 1] + in[c + 1] + in[c - nx] + in[c + nx] + in[c - nx * ny] + in[c + nx * ny];
	}
}
