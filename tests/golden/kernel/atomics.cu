// Atomic operations on members, shared memory and indirect elements.
struct bin { int count; float sum; };
__global__ void k(bin *bins, const int *key) {
	__shared__ int local[32];
	int b = key[threadIdx.x];
	atomicAdd(&bins[b].count, 1);
	atomicAdd(&bins[b].sum, 2.0f);
	atomicMax(local + threadIdx.x, b);
	int old = atomicCAS(&local[0], 0, b);
	bins[old].count = 0;
}
