// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Atom *atoms;
  cudaMalloc((void **)&atoms, (size_t)(n) * sizeof(Atom));
  cudaMemset(atoms, 0, (size_t)(n) * sizeof(Atom));
  Force *force;
  cudaMalloc((void **)&force, (size_t)(n) * sizeof(Force));
  cudaMemset(force, 0, (size_t)(n) * sizeof(Force));
  lj_force<<<(n + 255) / 256, 256>>>(atoms, force, n, 6.25f);
  cudaDeviceSynchronize();
  cudaFree(atoms);
  cudaFree(force);
  printf("done\n");
  return 0;
}
