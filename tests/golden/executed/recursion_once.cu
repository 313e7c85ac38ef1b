// A function that calls itself once, a number of times that each thread knows.
#include <cuda_runtime.h>
struct item { float a, b, c, d; };
__device__ __noinline__ float sum(const item *p, int i, int k) { return k ? p[i].a + sum(p, i + 1, k - 1) * p[i].d : 0; }
__global__ void run(const item *p, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = sum(p, i, 5);
}
int main() {
    int n = 1 << 20; item *t; float *o; cudaMalloc(&t, (n + 5) * sizeof(item)); cudaMalloc(&o, n * 4);
    run<<<n / 256, 256>>>(t, o, n); cudaDeviceSynchronize();
}
