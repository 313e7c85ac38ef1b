// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct KeyValue { unsigned key, value; };

__global__ void step(KeyValue *kv, int j, int k)
{
  unsigned i = threadIdx.x + blockDim.x * blockIdx.x, l = i ^ j;
  if (l > i) {
    bool up = (i & k) == 0;
    KeyValue a = kv[i], b = kv[l];
    if ((a.key > b.key) == up) { kv[i] = b; kv[l] = a; }
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
  KeyValue *kv = nullptr;
  cudaMalloc(&kv, sizeof(KeyValue) * (n));
  for (int r = 0; r < cfg.repeat; r++) {
    step<<<(n + 255) / 256, 256>>>(kv, 16, 64);
  }
  cudaDeviceSynchronize();
  cudaFree(kv);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
