// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

template <typename T> struct Rgb { T r, g, b; };

template <typename T> __global__ void reinhard(Rgb<T> *img, T exposure, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    img[i].r = img[i].r * exposure / (T(1) + img[i].r);
    img[i].g = img[i].g * exposure / (T(1) + img[i].g);
    img[i].b = img[i].b * exposure / (T(1) + img[i].b);
  }
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Rgb<float> *img;
  cudaMalloc((void **)&img, (size_t)(n) * sizeof(Rgb<float>));
  cudaMemset(img, 0, (size_t)(n) * sizeof(Rgb<float>));
  reinhard<float><<<(n + 255) / 256, 256>>>(img, 1.5f, n);
  cudaDeviceSynchronize();
  cudaFree(img);
  printf("done\n");
  return 0;
}
