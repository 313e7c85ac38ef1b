// args: 131072
#include <stdlib.h>
#include "siphash_batch.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Msg *msg;
  cudaMalloc(&msg, (n) * sizeof *msg);
  unsigned long long *out;
  cudaMalloc(&out, (n) * sizeof *out);
  hash<<<div_up(n, 256), 256>>>(msg, out, 0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL, n);
  return cudaDeviceSynchronize();
}
