// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Stats { float mean, var, gamma, beta; };

__global__ void bn(const Stats *st, const float *x, float *y, int channels, int hw)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < channels * hw) {
    int c = i / hw;
    y[i] = st[c].gamma * (x[i] - st[c].mean) * rsqrtf(st[c].var + 1e-5f) + st[c].beta;
  }
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
  Stats *st = nullptr;
  cudaMalloc(&st, sizeof(Stats) * (64));
  float *x = nullptr;
  cudaMalloc(&x, sizeof(float) * (n));
  float *y = nullptr;
  cudaMalloc(&y, sizeof(float) * (n));
  for (int r = 0; r < cfg.repeat; r++) {
    bn<<<(n + 255) / 256, 256>>>(st, x, y, 64, n / 64);
  }
  cudaDeviceSynchronize();
  cudaFree(st);
  cudaFree(x);
  cudaFree(y);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
