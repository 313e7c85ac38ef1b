#pragma once
#include <cuda_runtime.h>

struct Base { char call; unsigned char quality; short pos; };

__global__ void mask_low(Base *b, int n, unsigned char least)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && b[i].quality < least) b[i].call = 'N';
}
