// args: 131072
#include <stdlib.h>
#include "forward_kinematics.cuh"

static int div_up(int a, int b) { return (a + b - 1) / b; }

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Joint *arm;
  cudaMalloc(&arm, (6 * n) * sizeof *arm);
  Tip *tip;
  cudaMalloc(&tip, (n) * sizeof *tip);
  kinematics<6><<<div_up(n, 256), 256>>>(arm, tip, n);
  return cudaDeviceSynchronize();
}
