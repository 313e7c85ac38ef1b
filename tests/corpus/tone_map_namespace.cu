// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
template <typename T> struct Rgb { T r, g, b; };

template <typename T> __global__ void reinhard(Rgb<T> *img, T exposure, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    img[i].r = img[i].r * exposure / (T(1) + img[i].r);
    img[i].g = img[i].g * exposure / (T(1) + img[i].g);
    img[i].b = img[i].b * exposure / (T(1) + img[i].b);
  }
}

inline void launch(Rgb<float> *img, int n, cudaStream_t stream)
{
  reinhard<float><<<(n + 255) / 256, 256, 0, stream>>>(img, 1.5f, n);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Rgb<float> *img = nullptr;
  cudaMallocAsync((void **)&img, sizeof(Rgb<float>) * (n), stream);
  launch(img, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(img, stream);
  cudaStreamDestroy(stream);
  return 0;
}
