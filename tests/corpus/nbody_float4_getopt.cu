// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

typedef float4 Body;

__global__ void gravity(const Body *b, float4 *acc, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 me = b[i], a = make_float4(0, 0, 0, 0);
  for (int j = 0; j < n; j++) {
    float dx = b[j].x - me.x, dy = b[j].y - me.y, dz = b[j].z - me.z;
    float inv = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f), s = b[j].w * inv * inv * inv;
    a.x += s * dx; a.y += s * dy; a.z += s * dz;
  }
  acc[i] = a;
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
  Body *b;
  cudaMalloc(&b, (n) * sizeof(Body));
  float4 *acc;
  cudaMalloc(&acc, (n) * sizeof(float4));
  gravity<<<(n + 255) / 256, 256>>>(b, acc, n);
  cudaDeviceSynchronize();
  cudaFree(b);
  cudaFree(acc);
  return 0;
}
