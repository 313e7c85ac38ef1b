// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Block { unsigned w[16]; };

__device__ __forceinline__ unsigned rotl(unsigned x, int k) { return (x << k) | (x >> (32 - k)); }
__global__ void chacha(Block *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = b[i].w[0], c = b[i].w[4], e = b[i].w[8], g = b[i].w[12];
#pragma unroll
  for (int r = 0; r < 10; r++) {
    a += c; g = rotl(g ^ a, 16);
    e += g; c = rotl(c ^ e, 12);
  }
  b[i].w[0] = a; b[i].w[4] = c; b[i].w[8] = e; b[i].w[12] = g;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Block *b;
  cudaMalloc((void **)&b, (size_t)(n) * sizeof(Block));
  cudaMemset(b, 0, (size_t)(n) * sizeof(Block));
  chacha<<<(n + 255) / 256, 256>>>(b, n);
  cudaDeviceSynchronize();
  cudaFree(b);
  printf("done\n");
  return 0;
}
