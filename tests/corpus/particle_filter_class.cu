// args: 131072
#include <cstdio>
#include <cstdlib>

struct Hypothesis { float x, y, heading, weight; };

__global__ void weigh(Hypothesis *p, const float *scan, int n, int beams)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float w = 0;
  for (int b = 0; b < beams; b++) w += scan[b] * __cosf(p[i].heading + 0.1f * b) + p[i].x * 0.01f + p[i].y;
  p[i].weight = w;
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_p, sizeof(Hypothesis) * (n_));
    cudaMalloc(&d_scan, sizeof(float) * (90));
  }
  ~Simulation()
  {
    cudaFree(d_p);
    cudaFree(d_scan);
  }
  void step()
  {
    weigh<<<(n_ + 255) / 256, 256>>>(d_p, d_scan, n_, 90);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  Hypothesis *d_p = nullptr;
  float *d_scan = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
