// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
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

inline void launch(Obs *obs, float *mean, int n, cudaStream_t stream)
{
  bootstrap<<<(n + 255) / 256, 256, 0, stream>>>(obs, mean, n, 32);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Obs *obs = nullptr;
  cudaMallocAsync((void **)&obs, sizeof(Obs) * (n), stream);
  float *mean = nullptr;
  cudaMallocAsync((void **)&mean, sizeof(float) * (n), stream);
  launch(obs, mean, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(obs, stream);
  cudaFreeAsync(mean, stream);
  cudaStreamDestroy(stream);
  return 0;
}
