#pragma once
#include <cuda_runtime.h>

struct LatLong { float lat, lng; };

__global__ void euclid(const LatLong *loc, float *dist, int n, float lat, float lng)
{
  int gid = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (gid < n) {
    const LatLong *l = loc + gid;
    dist[gid] = sqrtf((lat - l->lat) * (lat - l->lat) + (lng - l->lng) * (lng - l->lng));
  }
}
