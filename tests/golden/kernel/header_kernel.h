__device__ int twice(int i) { return 2 * i; }
__global__ void in_header(float *a) { a[twice(threadIdx.x)] = 0; }
