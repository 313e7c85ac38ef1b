// args: 131072
#include <stdlib.h>
#include "nearest_neighbour.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  LatLong *loc;
  cudaMalloc(&loc, (n) * sizeof *loc);
  float *dist;
  cudaMalloc(&dist, (n) * sizeof *dist);
  euclid<<<div_up(n, 256), 256>>>(loc, dist, n, 30.0f, 90.0f);
  return cudaDeviceSynchronize();
}
