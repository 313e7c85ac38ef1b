// args: 131072
#include <cstdio>
#include <cstdlib>

struct LatLong { float lat, lng; };

__global__ void euclid(const LatLong *loc, float *dist, int n, float lat, float lng)
{
  int gid = blockDim.x * (gridDim.x * blockIdx.y + blockIdx.x) + threadIdx.x;
  if (gid < n) {
    const LatLong *l = loc + gid;
    dist[gid] = sqrtf((lat - l->lat) * (lat - l->lat) + (lng - l->lng) * (lng - l->lng));
  }
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_loc, sizeof(LatLong) * (n_));
    cudaMalloc(&d_dist, sizeof(float) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_loc);
    cudaFree(d_dist);
  }
  void step()
  {
    euclid<<<(n_ + 255) / 256, 256>>>(d_loc, d_dist, n_, 30.0f, 90.0f);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  LatLong *d_loc = nullptr;
  float *d_dist = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
