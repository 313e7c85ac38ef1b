// args:
#include <cstdio>

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

int main()
{
  const int w = 1920, h = 1080;
  GridCell *g;
  cudaMallocManaged(&g, (w * h) * sizeof(*g));
  dim3 threads(32, 8);
  dim3 blocks((w + threads.x - 1) / threads.x, (h + threads.y - 1) / threads.y);
  decay<<<blocks, threads>>>(g, w, h, 0.99f);
  cudaDeviceSynchronize();
  cudaFree(g);
  return 0;
}
