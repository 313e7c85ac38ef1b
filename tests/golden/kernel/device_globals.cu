// __device__ variables.
__device__ float table[256];
__device__ int hits;
__global__ void k(int *a) {
	a[threadIdx.x] = table[threadIdx.x] > 0;
	hits = 1;
	atomicAdd(&hits, 1);
}
