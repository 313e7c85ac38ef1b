// args: 1024 768
#include <cstdlib>
#include <utility>

namespace app {
struct EM { float ex, ey, hz; };

__global__ void update_h(EM *f, int w, int h, float c)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w - 1 && y < h - 1) f[y * w + x].hz += c * (f[(y + 1) * w + x].ex - f[y * w + x].ex - f[y * w + x + 1].ey + f[y * w + x].ey);
}
__global__ void update_e(EM *f, int w, int h, float c)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w && y < h) {
    f[y * w + x].ex += c * (f[y * w + x].hz - f[(y - 1) * w + x].hz);
    f[y * w + x].ey -= c * (f[y * w + x].hz - f[y * w + x - 1].hz);
  }
}

inline void launch(EM *f, int w, int h, cudaStream_t stream)
{
  update_h<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16), 0, stream>>>(f, w, h, 0.5f);
  update_e<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16), 0, stream>>>(f, w, h, 0.5f);
}
} // namespace app

int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 512;
  int h = argc > 2 ? atoi(argv[2]) : 384;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  EM *f = nullptr;
  cudaMallocAsync((void **)&f, sizeof(EM) * (w * h), stream);
  launch(f, w, h, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(f, stream);
  cudaStreamDestroy(stream);
  return 0;
}
