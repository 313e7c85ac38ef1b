// args:
#include <cstdio>

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

int main()
{
  const int n = 1 << 17;
  Z *c;
  cudaMallocManaged(&c, (n) * sizeof(*c));
  int *it;
  cudaMallocManaged(&it, (n) * sizeof(*it));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  escape<<<blocks, threads>>>(c, it, n, 64);
  cudaDeviceSynchronize();
  cudaFree(c);
  cudaFree(it);
  return 0;
}
