// Three dimensions of blocks and threads.
__global__ void k(float *a, int nx, int ny, int nz) {
	int x = blockIdx.x * blockDim.x + threadIdx.x;
	int y = blockIdx.y * blockDim.y + threadIdx.y;
	int z = blockIdx.z * blockDim.z + threadIdx.z;
	if (x < nx && y < ny && z < nz)
		a[(z * ny + y) * nx + x] = 0;
}
