// args: 131072
#include <stdlib.h>
#include "bfs_frontier.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  NodeInfo *nodes;
  cudaMalloc(&nodes, (n) * sizeof *nodes);
  int *edge;
  cudaMalloc(&edge, (6 * n) * sizeof *edge);
  bool *mask;
  cudaMalloc(&mask, (n) * sizeof *mask);
  bool *visited;
  cudaMalloc(&visited, (n) * sizeof *visited);
  int *cost;
  cudaMalloc(&cost, (n) * sizeof *cost);
  bfs<<<div_up(n, 256), 256>>>(nodes, edge, mask, visited, cost, n);
  return cudaDeviceSynchronize();
}
