#pragma once
#include <cuda_runtime.h>

struct Read { int offset, length; };

__global__ void count_kmers(const Read *reads, const unsigned char *bases, unsigned *table, int nreads)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= nreads) return;
  unsigned k = 0;
  int base = reads[r].offset;
  for (int i = 0; i < 64; i++) {
    k = ((k << 2) | (bases[base + i] & 3)) & 0xffff;
    if (i >= 7) atomicAdd(&table[k], 1u);
  }
}
