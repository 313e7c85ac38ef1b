// args: 4096
#include <stdio.h>
#include <stdlib.h>
#define BLOCK 16
typedef struct { short h, e, f, dir; } cell_t;
__global__ void diagonal(cell_t *m, const char *a, const char *b, int n, int d, int penalty)
{
  int by = blockIdx.x, bx = d - by;
  for (int s = 0; s < 2 * BLOCK - 1; s++) {
    int x = threadIdx.x, y = s - x;
    if (y >= 0 && y < BLOCK) {
      int i = by * BLOCK + y + 1, j = bx * BLOCK + x + 1;
      int up = m[(i - 1) * (n + 1) + j].h - penalty, left = m[i * (n + 1) + j - 1].h - penalty;
      int diag = m[(i - 1) * (n + 1) + j - 1].h + (a[i - 1] == b[j - 1] ? 2 : -1);
      int best = diag > up ? diag : up;
      best = best > left ? best : left;
      m[i * (n + 1) + j].h = best;
      m[i * (n + 1) + j].dir = best == diag ? 0 : best == up ? 1 : 2;
    }
    __syncthreads();
  }
}
int main(int argc, char **argv)
{
  int n = argc == 2 ? atoi(argv[1]) : 1024;
  cell_t *m; char *a, *b;
  cudaMalloc((void **)&m, (size_t)(n + 1) * (n + 1) * sizeof(cell_t));
  cudaMalloc((void **)&a, n);
  cudaMalloc((void **)&b, n);
  int blocks = n / BLOCK;
  for (int d = 0; d < blocks; d++) diagonal<<<d + 1, BLOCK>>>(m, a, b, n, d, 1);
  cudaDeviceSynchronize();
  cudaFree(m); cudaFree(a); cudaFree(b);
  return 0;
}
