// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Nz { int c; double v; };

__global__ void spmv_warp(const int *ptr, const Nz *nz, const double *x, double *y, int n)
{
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= n) return;
  double s = 0;
  int end = ptr[row + 1];
  for (int k = ptr[row] + lane; k < end; k += 32) s += nz[k].v * x[nz[k].c];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
  if (lane == 0) y[row] = s;
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
  int *ptr = nullptr;
  cudaMalloc(&ptr, sizeof(int) * (n + 1));
  Nz *nz = nullptr;
  cudaMalloc(&nz, sizeof(Nz) * (32 * n));
  double *x = nullptr;
  cudaMalloc(&x, sizeof(double) * (n));
  double *y = nullptr;
  cudaMalloc(&y, sizeof(double) * (n));
  for (int r = 0; r < cfg.repeat; r++) {
    spmv_warp<<<(n + 255) / 256, 256>>>(ptr, nz, x, y, n / 32);
  }
  cudaDeviceSynchronize();
  cudaFree(ptr);
  cudaFree(nz);
  cudaFree(x);
  cudaFree(y);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
