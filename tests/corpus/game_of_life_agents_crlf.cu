// args:
#include <stdio.h>

struct Agent { int alive; int age; };

__global__ void life(const Agent *a, Agent *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) s += a[((y + dy + h) % h) * w + (x + dx + w) % w].alive;
  int i = y * w + x;
  b[i].alive = s == 3 || (s == 2 && a[i].alive);
  b[i].age = b[i].alive ? a[i].age + 1 : 0;
}

enum { W = 1024, H = 512, BX = 32, BY = 4 };

int main(void)
{
  int w = W, h = H;
  Agent *a; cudaMalloc(&a, (size_t)(w * h)*sizeof(Agent));
  Agent *b; cudaMalloc(&b, (size_t)(w * h)*sizeof(Agent));
  life<<<dim3((W+BX-1)/BX, (H+BY-1)/BY), dim3(BX,BY)>>>(a, b, w, h);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
