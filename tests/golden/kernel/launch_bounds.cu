// Attributes of kernels, extern "C", static.
extern "C" __global__ void __launch_bounds__(256, 2) first(float *a) { a[threadIdx.x] = 0; }
static __global__ void second(float *a) { a[threadIdx.x] = 0; }
__global__ static void third(float *a) { a[threadIdx.x] = 0; }
