// args: 131072
#include <stdlib.h>
#include "phred_filter.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Base *b;
  cudaMalloc(&b, (n) * sizeof *b);
  mask_low<<<div_up(n, 256), 256>>>(b, n, 20);
  return cudaDeviceSynchronize();
}
