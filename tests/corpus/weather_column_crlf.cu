// args:
#include <stdio.h>

struct Column { float t, q, p, w; };

__global__ void adjust(Column *c, int nlev, int ncol)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= ncol) return;
  for (int k = 1; k < nlev; k++) {
    Column *a = &c[k * ncol + col];
    if (a->q > 0.8f) { a->t += 0.1f * (a->q - 0.8f); a->q = 0.8f; }
    a->w += 1e-3f * (a->t - c[(k - 1) * ncol + col].t);
  }
}

enum { N = 1000000, THREADS = 256 };

int main(void)
{
  int n = N;
  Column *c; cudaMalloc(&c, (size_t)(32 * n)*sizeof(Column));
  adjust<<<(N+THREADS-1)/THREADS, THREADS>>>(c, 32, n);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
