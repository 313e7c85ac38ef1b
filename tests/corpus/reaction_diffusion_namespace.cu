// args: 1024 768
#include <cstdlib>
#include <utility>

namespace app {
struct UV { float u, v; };

__global__ void gray_scott(const UV *in, UV *out, int w, int h, float feed, float kill)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  float u = in[i].u, v = in[i].v, r = u * v * v;
  out[i].u = u + 0.16f * (in[i - 1].u + in[i + 1].u + in[i - w].u + in[i + w].u - 4 * u) - r + feed * (1 - u);
  out[i].v = v + 0.08f * (in[i - 1].v + in[i + 1].v + in[i - w].v + in[i + w].v - 4 * v) + r - (feed + kill) * v;
}

inline void launch(UV *in, UV *out, int w, int h, cudaStream_t stream)
{
  gray_scott<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16), 0, stream>>>(in, out, w, h, 0.035f, 0.065f);
}
} // namespace app

int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 512;
  int h = argc > 2 ? atoi(argv[2]) : 384;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  UV *in = nullptr;
  cudaMallocAsync((void **)&in, sizeof(UV) * (w * h), stream);
  UV *out = nullptr;
  cudaMallocAsync((void **)&out, sizeof(UV) * (w * h), stream);
  launch(in, out, w, h, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(in, stream);
  cudaFreeAsync(out, stream);
  cudaStreamDestroy(stream);
  return 0;
}
