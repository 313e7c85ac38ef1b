// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Boid { float2 pos, vel; };

__global__ void flock(const Boid *in, Boid *out, int n, float dt)
{
  __shared__ Boid tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float ax = 0, ay = 0;
  for (int t = 0; t < n / 256; t++) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; k++) { ax += tile[k].pos.x - in[i].pos.x; ay += tile[k].pos.y - in[i].pos.y; }
    __syncthreads();
  }
  out[i].vel.x = in[i].vel.x + dt * ax;
  out[i].vel.y = in[i].vel.y + dt * ay;
  out[i].pos.x = in[i].pos.x + dt * out[i].vel.x;
  out[i].pos.y = in[i].pos.y + dt * out[i].vel.y;
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
  Boid *in;
  cudaMalloc(&in, (n) * sizeof(Boid));
  Boid *out;
  cudaMalloc(&out, (n) * sizeof(Boid));
  flock<<<(n + 255) / 256, 256>>>(in, out, n, 0.01f);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
