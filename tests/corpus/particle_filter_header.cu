// args: 131072
#include <stdlib.h>
#include "particle_filter.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Hypothesis *p;
  cudaMalloc(&p, (n) * sizeof *p);
  float *scan;
  cudaMalloc(&scan, (90) * sizeof *scan);
  weigh<<<div_up(n, 256), 256>>>(p, scan, n, 90);
  return cudaDeviceSynchronize();
}
