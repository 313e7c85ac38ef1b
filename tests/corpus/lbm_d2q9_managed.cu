// args:
#include <cstdio>

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

int main()
{
  const int w = 1920, h = 1080;
  Cell *src;
  cudaMallocManaged(&src, (w * h) * sizeof(*src));
  Cell *dst;
  cudaMallocManaged(&dst, (w * h) * sizeof(*dst));
  dim3 threads(32, 8);
  dim3 blocks((w + threads.x - 1) / threads.x, (h + threads.y - 1) / threads.y);
  collide<<<blocks, threads>>>(src, dst, w, h, 0.6f);
  cudaDeviceSynchronize();
  cudaFree(src);
  cudaFree(dst);
  return 0;
}
