// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Charge { float x; float q; };

__global__ void deposit(const Charge *c, float *rho, int n, int cells)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int g = (int)(c[i].x * cells);
    g = g < 0 ? 0 : g >= cells - 1 ? cells - 2 : g;
    atomicAdd(&rho[g], c[i].q);
    atomicAdd(&rho[g + 1], c[i].q);
  }
}

int main(int argc, char **argv)
{
  int n = 1024, opt;
  while ((opt = getopt(argc, argv, "n:")) != -1) {
    switch (opt) {
    case 'n':
      n = atoi(optarg);
      break;
    default:
      fprintf(stderr, "usage: %s [options]\n", argv[0]);
      return 1;
    }
  }
  Charge *c;
  cudaMalloc(&c, (n) * sizeof(Charge));
  float *rho;
  cudaMalloc(&rho, (4096) * sizeof(float));
  deposit<<<(n + 255) / 256, 256>>>(c, rho, n, 4096);
  cudaDeviceSynchronize();
  cudaFree(c);
  cudaFree(rho);
  return 0;
}
