// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
struct Kernel1d { float at, weight; };

__global__ void kde(const Kernel1d *k, float *f, int points, int kernels, float h)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= points) return;
  float x = (float)i / points, s = 0;
  for (int j = 0; j < kernels; j++) { float z = (x - k[j].at) / h; s += k[j].weight * expf(-0.5f * z * z); }
  f[i] = s;
}

inline void launch(Kernel1d *k, float *f, int n, cudaStream_t stream)
{
  kde<<<(n + 255) / 256, 256, 0, stream>>>(k, f, n, 512, 0.05f);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Kernel1d *k = nullptr;
  cudaMallocAsync((void **)&k, sizeof(Kernel1d) * (512), stream);
  float *f = nullptr;
  cudaMallocAsync((void **)&f, sizeof(float) * (n), stream);
  launch(k, f, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(k, stream);
  cudaFreeAsync(f, stream);
  cudaStreamDestroy(stream);
  return 0;
}
