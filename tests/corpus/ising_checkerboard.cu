// args: -x 2048 -y 2048 -n 50
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
typedef struct { signed char spin; unsigned char flips; unsigned short rng; } site_t;
__global__ void update(site_t *lattice, int nx, int ny, int colour, float beta)
{
  const long long t = (long long)blockDim.x * blockIdx.x + threadIdx.x;
  const int i = t / (nx / 2), jh = t % (nx / 2);
  if (i >= ny) return;
  const int j = 2 * jh + ((i + colour) & 1), up = (i + ny - 1) % ny, down = (i + 1) % ny, left = (j + nx - 1) % nx, right = (j + 1) % nx;
  int sum = lattice[up * nx + j].spin + lattice[down * nx + j].spin + lattice[i * nx + left].spin + lattice[i * nx + right].spin;
  unsigned short r = lattice[i * nx + j].rng * 25173 + 13849;
  lattice[i * nx + j].rng = r;
  if (r * (1.0f / 65536) < expf(-2 * beta * sum * lattice[i * nx + j].spin)) { lattice[i * nx + j].spin *= -1; lattice[i * nx + j].flips++; }
}
int main(int argc, char **argv)
{
  int nx = 512, ny = 512, n = 10, opt;
  while ((opt = getopt(argc, argv, "x:y:n:")) != -1) {
    if (opt == 'x') nx = atoi(optarg); else if (opt == 'y') ny = atoi(optarg); else if (opt == 'n') n = atoi(optarg);
  }
  site_t *lattice;
  cudaMalloc(&lattice, sizeof(site_t) * nx * ny);
  int blocks = (nx / 2 * ny + 127) / 128;
  for (int k = 0; k < n; k++) { update<<<blocks, 128>>>(lattice, nx, ny, 0, 0.44f); update<<<blocks, 128>>>(lattice, nx, ny, 1, 0.44f); }
  cudaDeviceSynchronize();
  return 0;
}
