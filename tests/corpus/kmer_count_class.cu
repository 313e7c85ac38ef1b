// args: 131072
#include <cstdio>
#include <cstdlib>

struct Read { int offset, length; };

__global__ void count_kmers(const Read *reads, const unsigned char *bases, unsigned *table, int nreads)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= nreads) return;
  unsigned k = 0;
  int base = reads[r].offset;
  for (int i = 0; i < 64; i++) {
    k = ((k << 2) | (bases[base + i] & 3)) & 0xffff;
    if (i >= 7) atomicAdd(&table[k], 1u);
  }
}

class Simulation {
public:
  Simulation(int n) : n_(n)
  {
    cudaMalloc(&d_reads, sizeof(Read) * (n_));
    cudaMalloc(&d_bases, sizeof(unsigned char) * (64 * n_));
    cudaMalloc(&d_table, sizeof(unsigned) * (65536));
  }
  ~Simulation()
  {
    cudaFree(d_reads);
    cudaFree(d_bases);
    cudaFree(d_table);
  }
  void step()
  {
    count_kmers<<<(n_ + 255) / 256, 256>>>(d_reads, d_bases, d_table, n_);
  }
  void run(int steps)
  {
    for (int i = 0; i < steps; i++) step();
    cudaDeviceSynchronize();
  }

private:
  int n_;
  Read *d_reads = nullptr;
  unsigned char *d_bases = nullptr;
  unsigned *d_table = nullptr;
};

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Simulation sim(n);
  sim.run(2);
  return 0;
}
