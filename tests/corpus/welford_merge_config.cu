// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Moments { double n, mean, m2; };

__global__ void merge(Moments *m, int half)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    Moments a = m[i], b = m[i + half];
    double d = b.mean - a.mean, n = a.n + b.n;
    m[i].mean = a.mean + d * b.n / n;
    m[i].m2 = a.m2 + b.m2 + d * d * a.n * b.n / n;
    m[i].n = n;
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
  Moments *m = nullptr;
  cudaMalloc(&m, sizeof(Moments) * (n));
  for (int r = 0; r < cfg.repeat; r++) {
    merge<<<(n + 255) / 256, 256>>>(m, n / 2);
  }
  cudaDeviceSynchronize();
  cudaFree(m);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
