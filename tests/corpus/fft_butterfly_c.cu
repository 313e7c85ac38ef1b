// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Complex { float re, im; };

__global__ void butterfly(Complex *x, const Complex *tw, int half, int n)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n / 2) return;
  int j = t & (half - 1), i = ((t - j) << 1) + j;
  Complex a = x[i], b = x[i + half], w = tw[j * (n / 2 / half)];
  float re = b.re * w.re - b.im * w.im, im = b.re * w.im + b.im * w.re;
  x[i].re = a.re + re;
  x[i].im = a.im + im;
  x[i + half].re = a.re - re;
  x[i + half].im = a.im - im;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Complex *x;
  cudaMalloc((void **)&x, (size_t)(n) * sizeof(Complex));
  cudaMemset(x, 0, (size_t)(n) * sizeof(Complex));
  Complex *tw;
  cudaMalloc((void **)&tw, (size_t)(n) * sizeof(Complex));
  cudaMemset(tw, 0, (size_t)(n) * sizeof(Complex));
  butterfly<<<(n + 255) / 256, 256>>>(x, tw, 16, n);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(tw);
  printf("done\n");
  return 0;
}
