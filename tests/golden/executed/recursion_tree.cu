// A function that calls itself twice: what is deeper than is followed is said.
#include <cuda_runtime.h>
__device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__global__ void k(int *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = fib(i & 15); }
int main() { int n = 1 << 16, *o; cudaMalloc(&o, n * 4); k<<<n / 256, 256>>>(o, n); cudaDeviceSynchronize(); }
