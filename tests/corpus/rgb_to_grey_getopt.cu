// args: -w 800 -h 600
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Pixel { unsigned char r, g, b; };

__global__ void grey(const Pixel *in, unsigned char *out, int width, int height)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < height && col < width) {
    Pixel p = in[row * width + col];
    out[row * width + col] = (unsigned char)(0.299f * p.r + 0.587f * p.g + 0.114f * p.b);
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
  Pixel *in;
  cudaMalloc(&in, (w * h) * sizeof(Pixel));
  unsigned char *out;
  cudaMalloc(&out, (w * h) * sizeof(unsigned char));
  grey<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(in, out, w, h);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return 0;
}
