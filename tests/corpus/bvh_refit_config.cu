// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Box { float lo[3], hi[3]; };

__global__ void merge_boxes(const Box *leaf, Box *node, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < 3; k++) {
      node[i].lo[k] = fminf(leaf[2 * i].lo[k], leaf[2 * i + 1].lo[k]);
      node[i].hi[k] = fmaxf(leaf[2 * i].hi[k], leaf[2 * i + 1].hi[k]);
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
  Box *leaf = nullptr;
  cudaMalloc(&leaf, sizeof(Box) * (2 * n));
  Box *node = nullptr;
  cudaMalloc(&node, sizeof(Box) * (n));
  for (int r = 0; r < cfg.repeat; r++) {
    merge_boxes<<<(n + 255) / 256, 256>>>(leaf, node, n);
  }
  cudaDeviceSynchronize();
  cudaFree(leaf);
  cudaFree(node);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
