#pragma once
#include <cuda_runtime.h>

struct Joint { float theta, length; };
struct Tip { float x, y; };

template <int JOINTS> __global__ void kinematics(const Joint *arm, Tip *tip, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a = 0, x = 0, y = 0;
  for (int j = 0; j < JOINTS; j++) {
    a += arm[i * JOINTS + j].theta;
    x += arm[i * JOINTS + j].length * cosf(a);
    y += arm[i * JOINTS + j].length * sinf(a);
  }
  tip[i].x = x;
  tip[i].y = y;
}
