// args: 131072
#include <stdlib.h>
#include "sssp_relax.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Edge *edges;
  cudaMalloc(&edges, (n) * sizeof *edges);
  int *dist;
  cudaMalloc(&dist, (n) * sizeof *dist);
  relax<<<div_up(n, 256), 256>>>(edges, dist, n);
  return cudaDeviceSynchronize();
}
