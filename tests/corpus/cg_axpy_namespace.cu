// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
struct CgState { double x, r, p, ap; };

__global__ void cg_update(CgState *s, double alpha, double beta, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[i].x += alpha * s[i].p;
    s[i].r -= alpha * s[i].ap;
    s[i].p = s[i].r + beta * s[i].p;
  }
}

inline void launch(CgState *s, int n, cudaStream_t stream)
{
  cg_update<<<(n + 255) / 256, 256, 0, stream>>>(s, 0.3, 0.2, n);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  CgState *s = nullptr;
  cudaMallocAsync((void **)&s, sizeof(CgState) * (n), stream);
  launch(s, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(s, stream);
  cudaStreamDestroy(stream);
  return 0;
}
