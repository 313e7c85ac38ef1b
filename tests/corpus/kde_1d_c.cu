// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Kernel1d { float at, weight; };

__global__ void kde(const Kernel1d *k, float *f, int points, int kernels, float h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points) return;
  float x = (float)i / points, s = 0;
  for (int j = 0; j < kernels; j++) { float z = (x - k[j].at) / h; s += k[j].weight * expf(-0.5f * z * z); }
  f[i] = s;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Kernel1d *k;
  cudaMalloc((void **)&k, (size_t)(512) * sizeof(Kernel1d));
  cudaMemset(k, 0, (size_t)(512) * sizeof(Kernel1d));
  float *f;
  cudaMalloc((void **)&f, (size_t)(n) * sizeof(float));
  cudaMemset(f, 0, (size_t)(n) * sizeof(float));
  kde<<<(n + 255) / 256, 256>>>(k, f, n, 512, 0.05f);
  cudaDeviceSynchronize();
  cudaFree(k);
  cudaFree(f);
  printf("done\n");
  return 0;
}
