// args: 131072
#include <cstdio>
#include <cstdlib>

struct Score { int h, e, f; };

__global__ void diagonal(const Score *prev, Score *cur, const char *a, const char *b, int d, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) {
    int e = max(prev[i].e - 1, prev[i].h - 3), f = max(prev[i - 1].f - 1, prev[i - 1].h - 3);
    int m = a[i] == b[d] ? 2 : -1;
    cur[i].e = e;
    cur[i].f = f;
    cur[i].h = max(max(0, prev[i - 1].h + m), max(e, f));
  }
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_prev, sizeof(Score) * (n_));
    cudaMalloc(&d_cur, sizeof(Score) * (n_));
    cudaMalloc(&d_a, sizeof(char) * (n_));
    cudaMalloc(&d_b, sizeof(char) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_prev);
    cudaFree(d_cur);
    cudaFree(d_a);
    cudaFree(d_b);
  }
  void step()
  {
    diagonal<<<(n_ + 255) / 256, 256>>>(d_prev, d_cur, d_a, d_b, 7, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  Score *d_prev = nullptr;
  Score *d_cur = nullptr;
  char *d_a = nullptr;
  char *d_b = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
