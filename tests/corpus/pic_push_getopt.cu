// args: -n 262144
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

struct Electron { float x, vx, vy, vz; int cell; };
struct Field { float ex, ey, bz; };

__global__ void boris(Electron *e, const Field *f, int n, int cells, float qm, float dt)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int c = e[i].cell;
  float vx = e[i].vx + qm * dt * f[c].ex, vy = e[i].vy + qm * dt * f[c].ey, t = qm * f[c].bz * dt;
  e[i].vx = vx + vy * t;
  e[i].vy = vy - vx * t;
  e[i].x += dt * e[i].vx;
  e[i].cell = ((int)e[i].x) % cells;
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
  Electron *e;
  cudaMalloc(&e, (n) * sizeof(Electron));
  Field *f;
  cudaMalloc(&f, (4096) * sizeof(Field));
  boris<<<(n + 255) / 256, 256>>>(e, f, n, 4096, 1.76f, 0.01f);
  cudaDeviceSynchronize();
  cudaFree(e);
  cudaFree(f);
  return 0;
}
