// args: 131072
#include <iostream>
#include <string>
#include <vector>

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

template <typename T> T *upload(const std::vector<T> &v)
{
  T *d = nullptr;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? std::stoi(argv[1]) : 65536;
  std::vector<Option> h_opt(n);
  Option *d_opt = upload(h_opt);
  std::vector<Price> h_price(n);
  Price *d_price = upload(h_price);
  for (int it = 0; it < 16; ++it)
    black_scholes<<<(n + 255) / 256, 256>>>(d_opt, d_price, n);
  cudaDeviceSynchronize();
  cudaFree(d_opt);
  cudaFree(d_price);
  std::cout << "ok" << std::endl;
}
