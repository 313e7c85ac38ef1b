// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
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

inline void launch(Path *paths, float *pnl, int n, cudaStream_t stream)
{
  simulate<<<(n + 255) / 256, 256, 0, stream>>>(paths, pnl, n, 128);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Path *paths = nullptr;
  cudaMallocAsync((void **)&paths, sizeof(Path) * (n), stream);
  float *pnl = nullptr;
  cudaMallocAsync((void **)&pnl, sizeof(float) * (n), stream);
  launch(paths, pnl, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(paths, stream);
  cudaFreeAsync(pnl, stream);
  cudaStreamDestroy(stream);
  return 0;
}
