// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Tone { float coeff, q1, q2; };

__global__ void goertzel(Tone *bank, const float *x, int tones, int len)
{
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tones) return;
  float q1 = 0, q2 = 0;
  for (int i = 0; i < len; i++) { float q0 = bank[t].coeff * q1 - q2 + x[i]; q2 = q1; q1 = q0; }
  bank[t].q1 = q1;
  bank[t].q2 = q2;
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
  Tone *bank;
  cudaMalloc(&bank, (n) * sizeof(Tone));
  float *x;
  cudaMalloc(&x, (512) * sizeof(float));
  goertzel<<<(n + 255) / 256, 256>>>(bank, x, n, 512);
  cudaDeviceSynchronize();
  cudaFree(bank);
  cudaFree(x);
  return 0;
}
