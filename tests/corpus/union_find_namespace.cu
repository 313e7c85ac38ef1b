// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
struct Label { int parent, rank; };

__global__ void hook(const int *u, const int *v, Label *l, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    int a = l[u[i]].parent, b = l[v[i]].parent;
    if (a < b) atomicMin(&l[b].parent, a);
  }
}

inline void launch(int *u, int *v, Label *l, int n, cudaStream_t stream)
{
  hook<<<(n + 255) / 256, 256, 0, stream>>>(u, v, l, n);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *u = nullptr;
  cudaMallocAsync((void **)&u, sizeof(int) * (n), stream);
  int *v = nullptr;
  cudaMallocAsync((void **)&v, sizeof(int) * (n), stream);
  Label *l = nullptr;
  cudaMallocAsync((void **)&l, sizeof(Label) * (n), stream);
  launch(u, v, l, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(u, stream);
  cudaFreeAsync(v, stream);
  cudaFreeAsync(l, stream);
  cudaStreamDestroy(stream);
  return 0;
}
