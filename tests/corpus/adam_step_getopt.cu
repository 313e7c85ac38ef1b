// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Param { float w, g, m, v; };

__global__ void adam(Param *p, int n, float lr, float b1, float b2, float eps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].m = b1 * p[i].m + (1 - b1) * p[i].g;
    p[i].v = b2 * p[i].v + (1 - b2) * p[i].g * p[i].g;
    p[i].w -= lr * p[i].m / (sqrtf(p[i].v) + eps);
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
  Param *p;
  cudaMalloc(&p, (n) * sizeof(Param));
  adam<<<(n + 255) / 256, 256>>>(p, n, 1e-3f, 0.9f, 0.999f, 1e-8f);
  cudaDeviceSynchronize();
  cudaFree(p);
  return 0;
}
