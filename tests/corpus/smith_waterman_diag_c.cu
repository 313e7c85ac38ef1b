// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Score { int h, e, f; };

__global__ void diagonal(const Score *prev, Score *cur, const char *a, const char *b, int d, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) {
    int e = max(prev[i].e - 1, prev[i].h - 3), f = max(prev[i - 1].f - 1, prev[i - 1].h - 3);
    int m = a[i] == b[d] ? 2 : -1;
    cur[i].e = e;
    cur[i].f = f;
    cur[i].h = max(max(0, prev[i - 1].h + m), max(e, f));
  }
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Score *prev;
  cudaMalloc((void **)&prev, (size_t)(n) * sizeof(Score));
  cudaMemset(prev, 0, (size_t)(n) * sizeof(Score));
  Score *cur;
  cudaMalloc((void **)&cur, (size_t)(n) * sizeof(Score));
  cudaMemset(cur, 0, (size_t)(n) * sizeof(Score));
  char *a;
  cudaMalloc((void **)&a, (size_t)(n) * sizeof(char));
  cudaMemset(a, 0, (size_t)(n) * sizeof(char));
  char *b;
  cudaMalloc((void **)&b, (size_t)(n) * sizeof(char));
  cudaMemset(b, 0, (size_t)(n) * sizeof(char));
  diagonal<<<(n + 255) / 256, 256>>>(prev, cur, a, b, 7, n);
  cudaDeviceSynchronize();
  cudaFree(prev);
  cudaFree(cur);
  cudaFree(a);
  cudaFree(b);
  printf("done\n");
  return 0;
}
