// args: 131072
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Particle { double x, y, z; double vx, vy, vz; double ax, ay, az; double mass; };

__global__ void verlet_kick_drift(Particle *p, double dt, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].vx += 0.5 * dt * p[i].ax;
    p[i].vy += 0.5 * dt * p[i].ay;
    p[i].vz += 0.5 * dt * p[i].az;
    p[i].x += dt * p[i].vx;
    p[i].y += dt * p[i].vy;
    p[i].z += dt * p[i].vz;
  }
}

int main(int argc, char **argv)
{
  int n = argc > 1 ? atoi(argv[1]) : 65536;
  Particle *p;
  cudaMalloc((void **)&p, (size_t)(n) * sizeof(Particle));
  cudaMemset(p, 0, (size_t)(n) * sizeof(Particle));
  for (int step = 0; step < 20; step++) {
    verlet_kick_drift<<<(n + 255) / 256, 256>>>(p, 0.001, n);
  }
  cudaDeviceSynchronize();
  cudaFree(p);
  printf("done\n");
  return 0;
}
