#include "detail/types.h"
__global__ void k(P *p, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) p[i].x += sq(p[i].y); }
int main() { P *p; cudaMalloc(&p, 1024 * sizeof(P)); k<<<4, 256>>>(p, 1024); }
