// args: 131072
#include <iostream>
#include <string>
#include <vector>

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

template <typename T> T *upload(const std::vector<T> &v)
{
  T *d = nullptr;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? std::stoi(argv[1]) : 65536;
  std::vector<Atom> h_atoms(n);
  Atom *d_atoms = upload(h_atoms);
  std::vector<Force> h_force(n);
  Force *d_force = upload(h_force);
  for (int it = 0; it < 1; ++it)
    lj_force<<<(n + 255) / 256, 256>>>(d_atoms, d_force, n, 6.25f);
  cudaDeviceSynchronize();
  cudaFree(d_atoms);
  cudaFree(d_force);
  std::cout << "ok" << std::endl;
}
