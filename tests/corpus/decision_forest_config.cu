// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Split { int feature; float threshold; int left, right; };

__global__ void predict_tree(const Split *tree, const float *x, float *y, int n, int features)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int node = 0;
  for (int depth = 0; depth < 8; depth++)
    node = x[i * features + tree[node].feature] < tree[node].threshold ? tree[node].left : tree[node].right;
  y[i] = (float)node;
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
  Split *tree = nullptr;
  cudaMalloc(&tree, sizeof(Split) * (511));
  float *x = nullptr;
  cudaMalloc(&x, sizeof(float) * (8 * n));
  float *y = nullptr;
  cudaMalloc(&y, sizeof(float) * (n));
  for (int r = 0; r < cfg.repeat; r++) {
    predict_tree<<<(n + 255) / 256, 256>>>(tree, x, y, n, 8);
  }
  cudaDeviceSynchronize();
  cudaFree(tree);
  cudaFree(x);
  cudaFree(y);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
