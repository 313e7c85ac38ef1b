// args: 131072
#include <cstdio>
#include <cstdlib>

struct Frame { float l, r; };

__global__ void mix(const Frame *a, const Frame *b, Frame *out, float gain, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i].l = a[i].l + gain * b[i].l;
    out[i].r = a[i].r + gain * b[i].r;
  }
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_a, sizeof(Frame) * (n_));
    cudaMalloc(&d_b, sizeof(Frame) * (n_));
    cudaMalloc(&d_out, sizeof(Frame) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_out);
  }
  void step()
  {
    mix<<<(n_ + 255) / 256, 256>>>(d_a, d_b, d_out, 0.5f, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  Frame *d_a = nullptr;
  Frame *d_b = nullptr;
  Frame *d_out = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
