// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
struct Neuron { float bias, out; };

template <int TILE> __global__ void layer(const float *w, const Neuron *in, Neuron *out, int n)
{
  int o = blockIdx.x * TILE + threadIdx.x;
  if (o >= n) return;
  float s = out[o].bias;
  for (int k = 0; k < 128; k++) s += w[k * n + o] * in[k].out;
  out[o].out = s > 0 ? s : 0;
}

inline void launch(float *w, Neuron *in, Neuron *out, int n, cudaStream_t stream)
{
  layer<256><<<(n + 255) / 256, 256, 0, stream>>>(w, in, out, n);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float *w = nullptr;
  cudaMallocAsync((void **)&w, sizeof(float) * (128 * n), stream);
  Neuron *in = nullptr;
  cudaMallocAsync((void **)&in, sizeof(Neuron) * (128), stream);
  Neuron *out = nullptr;
  cudaMallocAsync((void **)&out, sizeof(Neuron) * (n), stream);
  launch(w, in, out, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(w, stream);
  cudaFreeAsync(in, stream);
  cudaFreeAsync(out, stream);
  cudaStreamDestroy(stream);
  return 0;
}
