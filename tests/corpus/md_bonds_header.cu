// args: 131072
#include <stdlib.h>
#include "md_bonds.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Bond *bonds;
  cudaMalloc(&bonds, (n) * sizeof *bonds);
  Vec *pos;
  cudaMalloc(&pos, (n) * sizeof *pos);
  float *e;
  cudaMalloc(&e, (n) * sizeof *e);
  bond_energy<<<div_up(n, 256), 256>>>(bonds, pos, e, n);
  return cudaDeviceSynchronize();
}
