// Records that two files copy to the device: each has the function that does so.
#include "leaf.h"
#include <cstdlib>
int main() { int n = 4096; ulong4 *h = (ulong4 *)calloc(n, sizeof(ulong4)), *d; unsigned long *o; cudaMalloc(&d, n * sizeof(ulong4)); cudaMalloc(&o, n * 8);
  cudaMemcpy(d, h, n * sizeof(ulong4), cudaMemcpyHostToDevice); hash<<<n / 256, 256>>>(d, o); bench(h, o, n); cudaDeviceSynchronize(); cudaFree(d); cudaFree(o); free(h); return 0; }
