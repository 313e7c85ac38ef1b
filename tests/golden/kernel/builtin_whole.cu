// threadIdx and its like as a whole.
__device__ int flat(uint3 t, dim3 d) { return t.y * d.x + t.x; }
__global__ void k(float *a) {
	uint3 t = threadIdx;
	a[t.x + t.z] = 0;
	a[flat(threadIdx, blockDim)] = 0;
	a[threadIdx.x / warpSize] = 0;
}
