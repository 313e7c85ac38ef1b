// args: 131072
#include <cstdio>
#include <cstdlib>

struct Vertex { float rank; int degree; };

__global__ void pagerank(const int *rowptr, const int *col, const Vertex *v, float *next, int n)
{
  int u = blockIdx.x * blockDim.x + threadIdx.x;
  if (u >= n) return;
  float sum = 0;
  for (int e = rowptr[u]; e < rowptr[u + 1]; e++) {
    int w = col[e];
    sum += v[w].rank / v[w].degree;
  }
  next[u] = 0.15f / n + 0.85f * sum;
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_rowptr, sizeof(int) * (n_ + 1));
    cudaMalloc(&d_col, sizeof(int) * (8 * n_));
    cudaMalloc(&d_v, sizeof(Vertex) * (n_));
    cudaMalloc(&d_next, sizeof(float) * (n_));
  }
  ~Simulation()
  {
    cudaFree(d_rowptr);
    cudaFree(d_col);
    cudaFree(d_v);
    cudaFree(d_next);
  }
  void step()
  {
    pagerank<<<(n_ + 255) / 256, 256>>>(d_rowptr, d_col, d_v, d_next, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  int *d_rowptr = nullptr;
  int *d_col = nullptr;
  Vertex *d_v = nullptr;
  float *d_next = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(10);
  return 0;
}
