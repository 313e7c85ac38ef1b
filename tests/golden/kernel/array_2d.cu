// Two-dimensional arrays are flattened: row * width + column.
__global__ void k(float *out) {
	__shared__ float tile[16][17];
	tile[threadIdx.y][threadIdx.x] = out[threadIdx.x];
	__syncthreads();
	out[threadIdx.y] = tile[threadIdx.x][threadIdx.y];
}
