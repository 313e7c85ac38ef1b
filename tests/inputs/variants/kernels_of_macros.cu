#include <stdio.h>
struct P { float x, y, z; };
#define DEFINE_KERNEL(name, op) __global__ void name(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x op p[i].y; }
DEFINE_KERNEL(add, +=)
DEFINE_KERNEL(sub, -=)
__global__ void scale(P *p, int n, float f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x *= f; }
__global__ void scale(double *p, int n, float f) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i] *= f; }
const int N = 1 << 20; const dim3 block(256), grid(N / block.x);
int main() { P *p; cudaMalloc(&p, N * sizeof(P)); add<<<grid, block>>>(p, N); sub<<<grid, block>>>(p, N); scale<<<grid, block>>>(p, N, 2.f); double *d; cudaMalloc(&d, N * 8); scale<<<grid, block>>>(d, N, 2.f); }
