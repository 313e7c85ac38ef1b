// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
struct Dm { float pos[3]; float vel[3]; };

__global__ void kick(Dm *p, const float *phi, int n, int mesh, float a)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int c = (int)p[i].pos[0] % mesh;
    for (int k = 0; k < 3; k++) p[i].vel[k] += a * (phi[c + 1] - phi[c]);
  }
}

inline void launch(Dm *p, float *phi, int n, cudaStream_t stream)
{
  kick<<<(n + 255) / 256, 256, 0, stream>>>(p, phi, n, 4000, 0.1f);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Dm *p = nullptr;
  cudaMallocAsync((void **)&p, sizeof(Dm) * (n), stream);
  float *phi = nullptr;
  cudaMallocAsync((void **)&phi, sizeof(float) * (4096), stream);
  launch(p, phi, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(p, stream);
  cudaFreeAsync(phi, stream);
  cudaStreamDestroy(stream);
  return 0;
}
