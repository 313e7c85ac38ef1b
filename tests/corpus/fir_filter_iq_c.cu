// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  IQ *in;
  cudaMalloc((void **)&in, (size_t)(n) * sizeof(IQ));
  cudaMemset(in, 0, (size_t)(n) * sizeof(IQ));
  IQ *out;
  cudaMalloc((void **)&out, (size_t)(n) * sizeof(IQ));
  cudaMemset(out, 0, (size_t)(n) * sizeof(IQ));
  fir<<<(n + 255) / 256, 256>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  printf("done\n");
  return 0;
}
