// args:
#include <cstdio>

struct Bond { int a, b; float r0, k; };
struct Vec { float x, y, z; };

__global__ void bond_energy(const Bond *bonds, const Vec *pos, float *e, int nbonds)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < nbonds) {
    Bond b = bonds[i];
    float dx = pos[b.a].x - pos[b.b].x;
    float dy = pos[b.a].y - pos[b.b].y;
    float dz = pos[b.a].z - pos[b.b].z;
    float d = sqrtf(dx * dx + dy * dy + dz * dz) - b.r0;
    e[i] = b.k * d * d;
  }
}

int main()
{
  const int n = 1 << 17;
  Bond *bonds;
  cudaMallocManaged(&bonds, (n) * sizeof(*bonds));
  Vec *pos;
  cudaMallocManaged(&pos, (n) * sizeof(*pos));
  float *e;
  cudaMallocManaged(&e, (n) * sizeof(*e));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  bond_energy<<<blocks, threads>>>(bonds, pos, e, n);
  cudaDeviceSynchronize();
  cudaFree(bonds);
  cudaFree(pos);
  cudaFree(e);
  return 0;
}
