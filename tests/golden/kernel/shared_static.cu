// Shared memory: arrays, a record, and a scalar.
struct particle { float x, y; };
__global__ void k(const particle *p, float *out) {
	__shared__ particle tile[64];
	__shared__ int counter;
	if (threadIdx.x == 0)
		counter = 0;
	tile[threadIdx.x].x = p[threadIdx.x].x;
	__syncthreads();
	out[threadIdx.x] = tile[63 - threadIdx.x].x + counter;
}
