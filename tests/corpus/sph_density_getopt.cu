// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct SphParticle { float3 pos; float3 vel; float density, pressure; };

__global__ void density(SphParticle *ps, int n, float hh)
{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < 64; ++j) {
    int k = (i + j) % n;
    float dx = ps[k].pos.x - ps[i].pos.x, dy = ps[k].pos.y - ps[i].pos.y, dz = ps[k].pos.z - ps[i].pos.z;
    float d = hh - (dx * dx + dy * dy + dz * dz);
    if (d > 0) sum += d * d * d;
  }
  ps[i].density = sum;
  ps[i].pressure = 1000.0f * (sum - 1.0f);
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
  SphParticle *ps;
  cudaMalloc(&ps, (n) * sizeof(SphParticle));
  density<<<(n + 255) / 256, 256>>>(ps, n, 0.04f);
  cudaDeviceSynchronize();
  cudaFree(ps);
  return 0;
}
