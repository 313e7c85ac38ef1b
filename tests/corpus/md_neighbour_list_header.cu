// args: 131072
#include <stdlib.h>
#include "md_neighbour_list.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Site *site;
  cudaMalloc(&site, (n) * sizeof *site);
  int *list;
  cudaMalloc(&list, (32 * n) * sizeof *list);
  int *count;
  cudaMalloc(&count, (n) * sizeof *count);
  float *energy;
  cudaMalloc(&energy, (n) * sizeof *energy);
  pair_energy<<<div_up(n, 256), 256>>>(site, list, count, energy, n, n);
  return cudaDeviceSynchronize();
}
