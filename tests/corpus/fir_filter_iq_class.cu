// args: 131072
#include <cstdio>
#include <cstdlib>

struct IQ { short i, q; };

#define TAPS 32
__constant__ float taps[TAPS];
__global__ void fir(const IQ *in, IQ *out, int n)
{
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k + TAPS > n) return;
  float si = 0, sq = 0;
#pragma unroll 8
  for (int t = 0; t < TAPS; t++) {
    si += taps[t] * in[k + t].i;
    sq += taps[t] * in[k + t].q;
  }
  out[k].i = (short)si;
  out[k].q = (short)sq;
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_in, sizeof(IQ) * (n_));
    cudaMalloc(&d_out, sizeof(IQ) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_in);
    cudaFree(d_out);
  }
  void step()
  {
    fir<<<(n_ + 255) / 256, 256>>>(d_in, d_out, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  IQ *d_in = nullptr;
  IQ *d_out = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
