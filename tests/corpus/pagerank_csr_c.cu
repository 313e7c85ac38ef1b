// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Vertex { float rank; int degree; };

__global__ void pagerank(const int *rowptr, const int *col, const Vertex *v, float *next, int n)
{
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= n) return;
  float sum = 0;
  for (int e = rowptr[u]; e < rowptr[u + 1]; e++) {
    int w = col[e];
    sum += v[w].rank / v[w].degree;
  }
  next[u] = 0.15f / n + 0.85f * sum;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  int *rowptr;
  cudaMalloc((void **)&rowptr, (size_t)(n + 1) * sizeof(int));
  cudaMemset(rowptr, 0, (size_t)(n + 1) * sizeof(int));
  int *col;
  cudaMalloc((void **)&col, (size_t)(8 * n) * sizeof(int));
  cudaMemset(col, 0, (size_t)(8 * n) * sizeof(int));
  Vertex *v;
  cudaMalloc((void **)&v, (size_t)(n) * sizeof(Vertex));
  cudaMemset(v, 0, (size_t)(n) * sizeof(Vertex));
  float *next;
  cudaMalloc((void **)&next, (size_t)(n) * sizeof(float));
  cudaMemset(next, 0, (size_t)(n) * sizeof(float));
  for (int step = 0; step < 10; step++) {
    pagerank<<<(n + 255) / 256, 256>>>(rowptr, col, v, next, n);
  }
  cudaDeviceSynchronize();
  cudaFree(rowptr);
  cudaFree(col);
  cudaFree(v);
  cudaFree(next);
  printf("done\n");
  return 0;
}
