// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Label { int parent, rank; };

__global__ void hook(const int *u, const int *v, Label *l, int m)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m) {
    int a = l[u[i]].parent, b = l[v[i]].parent;
    if (a < b) atomicMin(&l[b].parent, a);
  }
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  int *u;
  cudaMalloc((void **)&u, (size_t)(n) * sizeof(int));
  cudaMemset(u, 0, (size_t)(n) * sizeof(int));
  int *v;
  cudaMalloc((void **)&v, (size_t)(n) * sizeof(int));
  cudaMemset(v, 0, (size_t)(n) * sizeof(int));
  Label *l;
  cudaMalloc((void **)&l, (size_t)(n) * sizeof(Label));
  cudaMemset(l, 0, (size_t)(n) * sizeof(Label));
  hook<<<(n + 255) / 256, 256>>>(u, v, l, n);
  cudaDeviceSynchronize();
  cudaFree(u);
  cudaFree(v);
  cudaFree(l);
  printf("done\n");
  return 0;
}
