#pragma once
#include <cuda_runtime.h>

struct Bond { int a, b; float r0, k; };
struct Vec { float x, y, z; };

__global__ void bond_energy(const Bond *bonds, const Vec *pos, float *e, int nbonds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nbonds) {
    Bond b = bonds[i];
    float dx = pos[b.a].x - pos[b.b].x;
    float dy = pos[b.a].y - pos[b.b].y;
    float dz = pos[b.a].z - pos[b.b].z;
    float d = sqrtf(dx * dx + dy * dy + dz * dz) - b.r0;
    e[i] = b.k * d * d;
  }
}
