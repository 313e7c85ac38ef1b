// args: 131072
#include <cstdio>
#include <cstdlib>

struct Msg { unsigned long long m0, m1; };

__global__ void hash(const Msg *msg, unsigned long long *out, unsigned long long k0, unsigned long long k1, int n)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned long long v0 = k0 ^ msg[i].m0, v1 = k1 ^ msg[i].m1;
    for (int r = 0; r < 4; ++r) { v0 += v1; v1 = (v1 << 13) | (v1 >> 51); v1 ^= v0; }
    out[i] = v0 ^ v1;
  }
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_msg, sizeof(Msg) * (n_));
    cudaMalloc(&d_out, sizeof(unsigned long long) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_msg);
    cudaFree(d_out);
  }
  void step()
  {
    hash<<<(n_ + 255) / 256, 256>>>(d_msg, d_out, 0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  Msg *d_msg = nullptr;
  unsigned long long *d_out = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
