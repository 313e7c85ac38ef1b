// args: --w 1280 --h 720
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct C64 { double re, im; };

__global__ void zgemm(const C64 *a, const C64 *b, C64 *c, int n)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  double re = 0, im = 0;
  for (int k = 0; k < n; k++) {
    re += a[row * n + k].re * b[k * n + col].re - a[row * n + k].im * b[k * n + col].im;
    im += a[row * n + k].re * b[k * n + col].im + a[row * n + k].im * b[k * n + col].re;
  }
  c[row * n + col].re = re;
  c[row * n + col].im = im;
}

struct Config {
  int w = 256;
  int h = 256;
  int repeat = 1;
};

static Config parse(int argc, char **argv)
{
  Config c;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--w") == 0 && i + 1 < argc) c.w = atoi(argv[++i]);
    else if (strcmp(argv[i], "--h") == 0 && i + 1 < argc) c.h = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--repeat") && i + 1 < argc) c.repeat = atoi(argv[++i]);
  }
  return c;
}

static void run(const Config &cfg)
{
  const int w = cfg.w, h = cfg.h;
  C64 *a = nullptr;
  cudaMalloc(&a, sizeof(C64) * (w * w));
  C64 *b = nullptr;
  cudaMalloc(&b, sizeof(C64) * (w * w));
  C64 *c = nullptr;
  cudaMalloc(&c, sizeof(C64) * (w * w));
  for (int r = 0; r < cfg.repeat; r++) {
    zgemm<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, b, c, w);
  }
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
