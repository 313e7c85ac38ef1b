// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Position { double delta, gamma, vega, theta; long long id; };

__global__ void revalue(Position *book, const double *move, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double m = move[i];
    book[i].delta += book[i].gamma * m;
    book[i].theta -= 0.5 * book[i].gamma * m * m;
  }
}

int main(int argc, char **argv)
{
  int n = 1024, opt;
  while ((opt = getopt(argc, argv, "n:")) != -1) {
    switch (opt) {
    case 'n':
      n = atoi(optarg);
      break;
    default:
      fprintf(stderr, "usage: %s [options]\n", argv[0]);
      return 1;
    }
  }
  Position *book;
  cudaMalloc(&book, (n) * sizeof(Position));
  double *move;
  cudaMalloc(&move, (n) * sizeof(double));
  revalue<<<(n + 255) / 256, 256>>>(book, move, n);
  cudaDeviceSynchronize();
  cudaFree(book);
  cudaFree(move);
  return 0;
}
