// args: --w 1280 --h 720
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Node { float phi, rhs; };

__global__ void jacobi(const Node *a, Node *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1) {
    int i = y * w + x;
    b[i].phi = 0.25f * (a[i - 1].phi + a[i + 1].phi + a[i - w].phi + a[i + w].phi - a[i].rhs);
  }
}

struct Config {
  int w = 256;
  int h = 256;
  int repeat = 100;
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
  Node *a = nullptr;
  cudaMalloc(&a, sizeof(Node) * (w * h));
  Node *b = nullptr;
  cudaMalloc(&b, sizeof(Node) * (w * h));
  for (int r = 0; r < cfg.repeat; r++) {
    jacobi<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(a, b, w, h);
  }
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
