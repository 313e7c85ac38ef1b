// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Dm { float pos[3]; float vel[3]; };

__global__ void kick(Dm *p, const float *phi, int n, int mesh, float a)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int c = (int)p[i].pos[0] % mesh;
    for (int k = 0; k < 3; k++) p[i].vel[k] += a * (phi[c + 1] - phi[c]);
  }
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Dm *p;
  cudaMalloc((void **)&p, (size_t)(n) * sizeof(Dm));
  cudaMemset(p, 0, (size_t)(n) * sizeof(Dm));
  float *phi;
  cudaMalloc((void **)&phi, (size_t)(4096) * sizeof(float));
  cudaMemset(phi, 0, (size_t)(4096) * sizeof(float));
  kick<<<(n + 255) / 256, 256>>>(p, phi, n, 4000, 0.1f);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaFree(phi);
  printf("done\n");
  return 0;
}
