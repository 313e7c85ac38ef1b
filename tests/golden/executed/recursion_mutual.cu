// Two functions that call each other, as often as an argument says.
#include <cuda_runtime.h>
struct item { float a, b, c, d; };
__device__ float odd(const item *p, int i, int k);
__device__ __noinline__ float even(const item *p, int i, int k) { return k <= 0 ? p[i].a : p[i].b + odd(p, i, k - 1); }
__device__ __noinline__ float odd(const item *p, int i, int k) { return k <= 0 ? p[i].c : p[i].d * even(p, i, k - 1); }
__global__ void run(const item *p, float *out, int n, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = even(p, i, k);
}
int main() {
    int n = 1 << 20; item *t; float *o; cudaMalloc(&t, n * sizeof(item)); cudaMalloc(&o, n * 4);
    run<<<n / 256, 256>>>(t, o, n, 6); cudaDeviceSynchronize();
}
