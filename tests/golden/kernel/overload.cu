// Overloaded kernels and device functions.
__device__ int at(int i) { return i; }
__device__ int at(int i, int j) { return i * 8 + j; }
__global__ void k(float *a) { a[at(threadIdx.x)] = 0; }
__global__ void k(float *a, int n) { a[at(threadIdx.x, n)] = 0; }
