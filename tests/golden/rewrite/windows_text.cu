#include <cstdio>
#define SMALLER(a, b) ((a) < (b) ? \
                       (a) : (b))
struct point
{
  float x, y;
};

__global__ void shrink(point *points, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (i < n)
  {
    point &p = points[i];
    p.x = SMALLER(p.x, p.y);
  }
}

int main()
{
  const int n = 64;
  point host[n], *points;
  double sum = 0;

  for (int i = 0; i < n; i++)
    host[i] = {1.0f * i, 20.0f};
  cudaMalloc(&points, n * sizeof(point));
  cudaMemcpy(points, host, n * sizeof(point), cudaMemcpyHostToDevice);
  shrink<<<2, 32>>>(points, n);
  cudaMemcpy(host, points, n * sizeof(point), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++)
    sum += host[i].x;
  printf("%g\n", sum);
  cudaFree(points);
  return 0;
}
