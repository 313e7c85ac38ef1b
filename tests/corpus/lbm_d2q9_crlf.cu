// args:
#include <stdio.h>

struct Cell { float f[9]; };

__constant__ float weight[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
__global__ void collide(const Cell *src, Cell *dst, int w, int h, float omega)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int c = y * w + x;
  float rho = 0;
  for (int q = 0; q < 9; q++) rho += src[c].f[q];
  for (int q = 0; q < 9; q++) dst[c].f[q] = (1 - omega) * src[c].f[q] + omega * weight[q] * rho;
}

enum { W = 1024, H = 512, BX = 32, BY = 4 };

int main(void)
{
  int w = W, h = H;
  Cell *src; cudaMalloc(&src, (size_t)(w * h)*sizeof(Cell));
  Cell *dst; cudaMalloc(&dst, (size_t)(w * h)*sizeof(Cell));
  collide<<<dim3((W+BX-1)/BX, (H+BY-1)/BY), dim3(BX,BY)>>>(src, dst, w, h, 0.6f);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
