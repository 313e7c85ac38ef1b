// args: -w 800 -h 600
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Token { int id; float weight; };

__global__ void embed(const Token *tok, const float *table, float *out, int n, int dim)
{
  int t = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n && k < dim) out[t * dim + k] = tok[t].weight * table[tok[t].id * dim + k];
}

int main(int argc, char **argv)
{
  int w = 256, h = 256, opt;
  while ((opt = getopt(argc, argv, "w:h:")) != -1) {
    switch (opt) {
    case 'w':
      w = atoi(optarg);
      break;
    case 'h':
      h = atoi(optarg);
      break;
    default:
      fprintf(stderr, "usage: %s [options]\n", argv[0]);
      return 1;
    }
  }
  Token *tok;
  cudaMalloc(&tok, (h) * sizeof(Token));
  float *table;
  cudaMalloc(&table, (w * h) * sizeof(float));
  float *out;
  cudaMalloc(&out, (w * h) * sizeof(float));
  embed<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(tok, table, out, h, w);
  cudaDeviceSynchronize();
  cudaFree(tok);
  cudaFree(table);
  cudaFree(out);
  return 0;
}
