// args: 131072
#include <stdlib.h>
#include "stereo_mix.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Frame *a;
  cudaMalloc(&a, (n) * sizeof *a);
  Frame *b;
  cudaMalloc(&b, (n) * sizeof *b);
  Frame *out;
  cudaMalloc(&out, (n) * sizeof *out);
  mix<<<div_up(n, 256), 256>>>(a, b, out, 0.5f, n);
  return cudaDeviceSynchronize();
}
