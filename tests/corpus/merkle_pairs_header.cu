// args: 131072
#include <stdlib.h>
#include "merkle_pairs.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Digest *in;
  cudaMalloc(&in, (2 * n) * sizeof *in);
  Digest *out;
  cudaMalloc(&out, (n) * sizeof *out);
  level<<<div_up(n, 256), 256>>>(in, out, (unsigned)n);
  return cudaDeviceSynchronize();
}
