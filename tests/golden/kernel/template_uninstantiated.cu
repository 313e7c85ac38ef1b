// A template that nothing instantiates is listed.
template <typename T> __global__ void unused(T *a) { a[threadIdx.x] = 0; }
__global__ void used(int *a) { a[threadIdx.x] = 0; }
