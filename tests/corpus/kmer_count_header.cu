// args: 131072
#include <stdlib.h>
#include "kmer_count.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Read *reads;
  cudaMalloc(&reads, (n) * sizeof *reads);
  unsigned char *bases;
  cudaMalloc(&bases, (64 * n) * sizeof *bases);
  unsigned *table;
  cudaMalloc(&table, (65536) * sizeof *table);
  count_kmers<<<div_up(n, 256), 256>>>(reads, bases, table, n);
  return cudaDeviceSynchronize();
}
