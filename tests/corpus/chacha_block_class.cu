// args: 131072
#include <cstdio>
#include <cstdlib>

struct Block { unsigned w[16]; };

__device__ __forceinline__ unsigned rotl(unsigned x, int k) { return (x << k) | (x >> (32 - k)); }
__global__ void chacha(Block *b, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned a = b[i].w[0], c = b[i].w[4], e = b[i].w[8], g = b[i].w[12];
#pragma unroll
  for (int r = 0; r < 10; r++) {
    a += c; g = rotl(g ^ a, 16);
    e += g; c = rotl(c ^ e, 12);
  }
  b[i].w[0] = a; b[i].w[4] = c; b[i].w[8] = e; b[i].w[12] = g;
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_b, sizeof(Block) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_b);
  }
  void step()
  {
    chacha<<<(n_ + 255) / 256, 256>>>(d_b, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  Block *d_b = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
