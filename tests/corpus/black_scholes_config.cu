// args: --n 500000
#include <cstring>
#include <cstdlib>
#include <cstdio>

struct Option { float spot, strike, years, rate, vol; };
struct Price { float call, put; };

__device__ float cnd(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
__global__ void black_scholes(const Option *opt, Price *price, int count)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    Option o = opt[i];
    float s = o.vol * sqrtf(o.years);
    float d1 = (logf(o.spot / o.strike) + (o.rate + 0.5f * o.vol * o.vol) * o.years) / s, d2 = d1 - s;
    float df = expf(-o.rate * o.years);
    price[i].call = o.spot * cnd(d1) - o.strike * df * cnd(d2);
    price[i].put = o.strike * df * cnd(-d2) - o.spot * cnd(-d1);
  }
}

struct Config {
  int n = 256;
  int repeat = 16;
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
  Option *opt = nullptr;
  cudaMalloc(&opt, sizeof(Option) * (n));
  Price *price = nullptr;
  cudaMalloc(&price, sizeof(Price) * (n));
  for (int r = 0; r < cfg.repeat; r++) {
    black_scholes<<<(n + 255) / 256, 256>>>(opt, price, n);
  }
  cudaDeviceSynchronize();
  cudaFree(opt);
  cudaFree(price);
}

int main(int argc, char **argv)
{
  run(parse(argc, argv));
  return 0;
}
