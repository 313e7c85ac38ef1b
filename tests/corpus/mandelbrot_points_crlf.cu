// args:
#include <stdio.h>

struct Z { double re, im; };

__global__ void escape(const Z *c, int *it, int n, int limit)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double x = 0, y = 0;
  int k = 0;
  for (; k < limit && x * x + y * y < 4.0; k++) {
    double t = x * x - y * y + c[i].re;
    y = 2 * x * y + c[i].im;
    x = t;
  }
  it[i] = k;
}

enum { N = 1000000, THREADS = 256 };

int main(void)
{
  int n = N;
  Z *c; cudaMalloc(&c, (size_t)(n)*sizeof(Z));
  int *it; cudaMalloc(&it, (size_t)(n)*sizeof(int));
  escape<<<(N+THREADS-1)/THREADS, THREADS>>>(c, it, n, 64);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
