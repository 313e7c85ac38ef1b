// Calls of calls; the chain is kept.
__device__ int one(int i) { return i + 1; }
__device__ int two(int i) { return one(one(i)); }
__device__ void put(float *a, int i) { a[two(i)] = 0; }
__global__ void k(float *a) { for (int j = 0; j < 4; j++) put(a + 10 * j, threadIdx.x); }
