// args: 1024 768
#include <cstdlib>
#include <utility>

namespace app {
struct Patch { short left, right; };

__global__ void disparity(const Patch *im, short *best, int w, int h, int range)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h || x < range) return;
  int b = 0, score = 1 << 20;
  for (int d = 0; d < range; d++) {
    int s = abs(im[y * w + x].left - im[y * w + x - d].right);
    if (s < score) { score = s; b = d; }
  }
  best[y * w + x] = (short)b;
}

inline void launch(Patch *im, short *best, int w, int h, cudaStream_t stream)
{
  disparity<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16), 0, stream>>>(im, best, w, h, 16);
}
} // namespace app

int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 512;
  int h = argc > 2 ? atoi(argv[2]) : 384;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Patch *im = nullptr;
  cudaMallocAsync((void **)&im, sizeof(Patch) * (w * h), stream);
  short *best = nullptr;
  cudaMallocAsync((void **)&best, sizeof(short) * (w * h), stream);
  launch(im, best, w, h, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(im, stream);
  cudaFreeAsync(best, stream);
  cudaStreamDestroy(stream);
  return 0;
}
