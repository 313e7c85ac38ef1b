// args: -w 800 -h 600
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Vel { float u, v; };

__device__ __forceinline__ float lerpf(float a, float b, float t) { return a + t * (b - a); }
__global__ void advect(const Vel *vel, const float *in, float *out, int w, int h)
{
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    const int c = x + y * w;
    float px = fminf(fmaxf(x - vel[c].u, 0.f), w - 2.f), py = fminf(fmaxf(y - vel[c].v, 0.f), h - 2.f);
    int ix = (int)px, iy = (int)py, s = ix + iy * w;
    out[c] = lerpf(lerpf(in[s], in[s + 1], px - ix), lerpf(in[s + w], in[s + w + 1], px - ix), py - iy);
  }
}

int main(int argc, char **argv)
{
  int w = 256, h = 256, opt;
  while ((opt = getopt(argc, argv, "w:h:")) != -1) {
    switch (opt) {
    case 'w':
      w = atoi(optarg);
      break;
    case 'h':
      h = atoi(optarg);
      break;
    default:
      fprintf(stderr, "usage: %s [options]\n", argv[0]);
      return 1;
    }
  }
  Vel *vel;
  cudaMalloc(&vel, (w * h) * sizeof(Vel));
  float *in;
  cudaMalloc(&in, (w * h) * sizeof(float));
  float *out;
  cudaMalloc(&out, (w * h) * sizeof(float));
  advect<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(vel, in, out, w, h);
  cudaDeviceSynchronize();
  cudaFree(vel);
  cudaFree(in);
  cudaFree(out);
  return 0;
}
