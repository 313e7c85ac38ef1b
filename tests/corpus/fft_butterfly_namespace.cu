// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
struct Complex { float re, im; };

__global__ void butterfly(Complex *x, const Complex *tw, int half, int n)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n / 2) return;
  int j = t & (half - 1), i = ((t - j) << 1) + j;
  Complex a = x[i], b = x[i + half], w = tw[j * (n / 2 / half)];
  float re = b.re * w.re - b.im * w.im, im = b.re * w.im + b.im * w.re;
  x[i].re = a.re + re;
  x[i].im = a.im + im;
  x[i + half].re = a.re - re;
  x[i + half].im = a.im - im;
}

inline void launch(Complex *x, Complex *tw, int n, cudaStream_t stream)
{
  butterfly<<<(n + 255) / 256, 256, 0, stream>>>(x, tw, 16, n);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Complex *x = nullptr;
  cudaMallocAsync((void **)&x, sizeof(Complex) * (n), stream);
  Complex *tw = nullptr;
  cudaMallocAsync((void **)&tw, sizeof(Complex) * (n), stream);
  launch(x, tw, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(x, stream);
  cudaFreeAsync(tw, stream);
  cudaStreamDestroy(stream);
  return 0;
}
