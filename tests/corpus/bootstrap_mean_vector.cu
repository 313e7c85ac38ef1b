// args: 131072
#include <iostream>
#include <string>
#include <vector>

struct Obs { float value; unsigned state; };

__global__ void bootstrap(Obs *obs, float *mean, int n, int draws)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned s = obs[i].state;
  float sum = 0;
  for (int k = 0; k < draws; k++) {
    s ^= s << 13; s ^= s >> 17; s ^= s << 5;
    sum += obs[s % n].value;
  }
  obs[i].state = s;
  mean[i] = sum / draws;
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
  std::vector<Obs> h_obs(n);
  Obs *d_obs = upload(h_obs);
  std::vector<float> h_mean(n);
  float *d_mean = upload(h_mean);
  for (int it = 0; it < 1; ++it)
    bootstrap<<<(n + 255) / 256, 256>>>(d_obs, d_mean, n, 32);
  cudaDeviceSynchronize();
  cudaFree(d_obs);
  cudaFree(d_mean);
  std::cout << "ok" << std::endl;
}
