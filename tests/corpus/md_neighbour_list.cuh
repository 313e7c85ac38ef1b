#pragma once
#include <cuda_runtime.h>

struct Site { float x, y, z; int type; };

__global__ void pair_energy(const Site *site, const int *list, const int *count, float *energy, int n, int stride)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float e = 0;
  for (int k = 0; k < 32; k++) {
    int j = list[k * stride + i];
    float dx = site[i].x - site[j].x, dy = site[i].y - site[j].y, dz = site[i].z - site[j].z;
    float r2 = dx * dx + dy * dy + dz * dz;
    e += k < count[i] ? 1.0f / (r2 + 1.0f) : 0.0f;
  }
  energy[i] = e;
}
