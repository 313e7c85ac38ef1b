#pragma once
#include <cuda_runtime.h>

struct Hypothesis { float x, y, heading, weight; };

__global__ void weigh(Hypothesis *p, const float *scan, int n, int beams)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w = 0;
  for (int b = 0; b < beams; b++) w += scan[b] * __cosf(p[i].heading + 0.1f * b) + p[i].x * 0.01f + p[i].y;
  p[i].weight = w;
}
