// args: 131072
#include <cstdio>
#include <cstdlib>

struct Site { float x, y, z; int type; };

__global__ void pair_energy(const Site *site, const int *list, const int *count, float *energy, int n, int stride)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float e = 0;
  for (int k = 0; k < 32; k++) {
    int j = list[k * stride + i];
    float dx = site[i].x - site[j].x, dy = site[i].y - site[j].y, dz = site[i].z - site[j].z;
    float r2 = dx * dx + dy * dy + dz * dz;
    e += k < count[i] ? 1.0f / (r2 + 1.0f) : 0.0f;
  }
  energy[i] = e;
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_site, sizeof(Site) * (n_));
    cudaMalloc(&d_list, sizeof(int) * (32 * n_));
    cudaMalloc(&d_count, sizeof(int) * (n_));
    cudaMalloc(&d_energy, sizeof(float) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_site);
    cudaFree(d_list);
    cudaFree(d_count);
    cudaFree(d_energy);
  }
  void step()
  {
    pair_energy<<<(n_ + 255) / 256, 256>>>(d_site, d_list, d_count, d_energy, n_, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  Site *d_site = nullptr;
  int *d_list = nullptr;
  int *d_count = nullptr;
  float *d_energy = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
