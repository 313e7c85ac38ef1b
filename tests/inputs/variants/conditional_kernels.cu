#include <cuda_runtime.h>
#ifndef BLOCK
#define BLOCK 256
#endif
#if BLOCK > 128
#define USE_WIDE 1
#endif
struct P { float x, y, z; };
#ifdef USE_WIDE
__global__ void k(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += p[i].y; }
#else
__global__ void k(P *p, int n) { int i = threadIdx.x; if (i < n) p[i].x -= p[i].y; }
#endif
int main() {
#ifdef USE_WIDE
  P *p;
#else
  P *p = 0;
#endif
  cudaMalloc(&p, 1024 * sizeof(P)); k<<<4, BLOCK>>>(p, 1024); }
