// args: 131072
#include <cstdlib>
#include <utility>

namespace app {
struct Atom { float x, y, z, q; };
struct Force { float fx, fy, fz; };

__global__ void lj_force(const Atom *atoms, Force *force, int n, float cutoff2)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Atom a = atoms[i];
  float fx = 0.f, fy = 0.f, fz = 0.f;
  for (int j = 0; j < n; j++) {
    float dx = a.x - atoms[j].x, dy = a.y - atoms[j].y, dz = a.z - atoms[j].z;
    float r2 = dx * dx + dy * dy + dz * dz + 1e-6f;
    if (r2 < cutoff2) {
      float ir6 = 1.f / (r2 * r2 * r2);
      float s = 24.f * ir6 * (2.f * ir6 - 1.f) / r2;
      fx += s * dx; fy += s * dy; fz += s * dz;
    }
  }
  force[i].fx = fx; force[i].fy = fy; force[i].fz = fz;
}

inline void launch(Atom *atoms, Force *force, int n, cudaStream_t stream)
{
  lj_force<<<(n + 255) / 256, 256, 0, stream>>>(atoms, force, n, 6.25f);
}
} // namespace app

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  using namespace app;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Atom *atoms = nullptr;
  cudaMallocAsync((void **)&atoms, sizeof(Atom) * (n), stream);
  Force *force = nullptr;
  cudaMallocAsync((void **)&force, sizeof(Force) * (n), stream);
  launch(atoms, force, n, stream);
  cudaStreamSynchronize(stream);
  cudaFreeAsync(atoms, stream);
  cudaFreeAsync(force, stream);
  cudaStreamDestroy(stream);
  return 0;
}
