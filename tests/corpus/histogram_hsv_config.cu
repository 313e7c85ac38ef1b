// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Hsv { float h, s, v; };

__global__ void hue_histogram(const Hsv *px, unsigned int *bins, int n)
{
  __shared__ unsigned int local[256];
  if (threadIdx.x < 256) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[((int)(px[i].h * 255.0f)) & 255], 1u);
  __syncthreads();
  if (threadIdx.x < 256) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
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
  Hsv *px = nullptr;
  cudaMalloc(&px, sizeof(Hsv) * (n));
  unsigned int *bins = nullptr;
  cudaMalloc(&bins, sizeof(unsigned int) * (256));
  for (int r = 0; r < cfg.repeat; r++) {
    hue_histogram<<<(n + 255) / 256, 256>>>(px, bins, n);
  }
  cudaDeviceSynchronize();
  cudaFree(px);
  cudaFree(bins);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
