// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Bin { float power, noise; unsigned char hit; };

__global__ void cfar(Bin *b, int n, int guard, float factor)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 16 || i >= n - 16) return;
  float s = 0;
  for (int k = guard; k < 16; k++) s += b[i - k].power + b[i + k].power;
  b[i].noise = s;
  b[i].hit = b[i].power > factor * s;
}

struct Config {
  int n = 256;
  int repeat = 1;
};

static Config parse(int argc, char **argv)
{
  Config c;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--n") == 0 && i + 1 < argc) c.n = atoi(argv[++i]);
    else if (!strcmp(argv[i], "--repeat") && i + 1 < argc) c.repeat = atoi(argv[++i]);
  }
  return c;
}

static void run(const Config &cfg)
{
  const int n = cfg.n;
  Bin *b = nullptr;
  cudaMalloc(&b, sizeof(Bin) * (n));
  for (int r = 0; r < cfg.repeat; r++) {
    cfar<<<(n + 255) / 256, 256>>>(b, n, 2, 3.0f);
  }
  cudaDeviceSynchronize();
  cudaFree(b);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
