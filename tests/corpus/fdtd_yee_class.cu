// args: 1024 768
#include <cstdio>
#include <cstdlib>

struct EM { float ex, ey, hz; };

__global__ void update_h(EM *f, int w, int h, float c)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w - 1 && y < h - 1) f[y * w + x].hz += c * (f[(y + 1) * w + x].ex - f[y * w + x].ex - f[y * w + x + 1].ey + f[y * w + x].ey);
}
__global__ void update_e(EM *f, int w, int h, float c)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w && y < h) {
    f[y * w + x].ex += c * (f[y * w + x].hz - f[(y - 1) * w + x].hz);
    f[y * w + x].ey -= c * (f[y * w + x].hz - f[y * w + x - 1].hz);
  }
}

class Simulation {
public:
  Simulation(int w, int h) : w_(w), h_(h)
  {
    cudaMalloc(&d_f, sizeof(EM) * (w_ * h_));
  }
  ~Simulation()
  {
    cudaFree(d_f);
  }
  void step()
  {
    update_h<<<dim3((w_ + 15) / 16, (h_ + 15) / 16), dim3(16, 16)>>>(d_f, w_, h_, 0.5f);
    update_e<<<dim3((w_ + 15) / 16, (h_ + 15) / 16), dim3(16, 16)>>>(d_f, w_, h_, 0.5f);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int w_, h_;
  EM *d_f = nullptr;
};

int main(int argc, char **argv)
{
  int w = argc > 1 ? atoi(argv[1]) : 512;
  int h = argc > 2 ? atoi(argv[2]) : 384;
  Simulation sim(w, h);
  sim.run(40);
  return 0;
}
