// args:
#include <stdio.h>

struct GridCell { float logodds; unsigned short hits, misses; };

__global__ void decay(GridCell *g, int w, int h, float rate)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    GridCell *c = g + (size_t)y * w + x;
    c->logodds *= rate;
    c->hits >>= 1;
    c->misses >>= 1;
  }
}

enum { W = 1024, H = 512, BX = 32, BY = 4 };

int main(void)
{
  int w = W, h = H;
  GridCell *g; cudaMalloc(&g, (size_t)(w * h)*sizeof(GridCell));
  decay<<<dim3((W+BX-1)/BX, (H+BY-1)/BY), dim3(BX,BY)>>>(g, w, h, 0.99f);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
