// args: 131072
#include <iostream>
#include <string>
#include <vector>

struct Path { float s0, mu, sigma; unsigned seed; };

__global__ void simulate(const Path *paths, float *pnl, int n, int steps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = paths[i].s0;
  unsigned r = paths[i].seed;
  for (int t = 0; t < steps; t++) {
    r = r * 1664525u + 1013904223u;
    s *= 1.0f + paths[i].mu + paths[i].sigma * ((r >> 8) * 5.96e-8f - 0.5f);
  }
  pnl[i] = s - paths[i].s0;
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
  std::vector<Path> h_paths(n);
  Path *d_paths = upload(h_paths);
  std::vector<float> h_pnl(n);
  float *d_pnl = upload(h_pnl);
  for (int it = 0; it < 1; ++it)
    simulate<<<(n + 255) / 256, 256>>>(d_paths, d_pnl, n, 128);
  cudaDeviceSynchronize();
  cudaFree(d_paths);
  cudaFree(d_pnl);
  std::cout << "ok" << std::endl;
}
