#pragma once
#include <cuda_runtime.h>

struct Msg { unsigned long long m0, m1; };

__global__ void hash(const Msg *msg, unsigned long long *out, unsigned long long k0, unsigned long long k1, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned long long v0 = k0 ^ msg[i].m0, v1 = k1 ^ msg[i].m1;
    for (int r = 0; r < 4; ++r) { v0 += v1; v1 = (v1 << 13) | (v1 >> 51); v1 ^= v0; }
    out[i] = v0 ^ v1;
  }
}
