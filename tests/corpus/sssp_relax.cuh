#pragma once
#include <cuda_runtime.h>

struct Edge { int from, to; float w; };

__global__ void relax(const Edge *edges, int *dist, int m)
{
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < m) {
    int d = dist[edges[e].from] + (int)edges[e].w;
    atomicMin(&dist[edges[e].to], d);
  }
}
