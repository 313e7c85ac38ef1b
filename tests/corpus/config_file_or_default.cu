// args: 2048 2048
#include <stdio.h>
#include <stdlib.h>
typedef struct { int nx, ny; double dx, dt; int max_iter; } Config;
typedef struct { double h, hu, hv; } State;
static Config default_config(void) { Config c; c.nx = 256; c.ny = 256; c.dx = 10.0; c.dt = 0.1; c.max_iter = 100; return c; }
static int parse(int argc, char **argv, Config *c)
{
  if (argc > 1) c->nx = atoi(argv[1]);
  if (argc > 2) c->ny = atoi(argv[2]);
  if (argc > 3) c->max_iter = atoi(argv[3]);
  return c->nx > 0 && c->ny > 0;
}
__global__ void flux(const State *q, State *qn, Config c)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i == 0 || j == 0 || i >= c.nx - 1 || j >= c.ny - 1) return;
  int k = j * c.nx + i;
  double l = c.dt / c.dx;
  qn[k].h = q[k].h - l * 0.5 * (q[k + 1].hu - q[k - 1].hu + q[k + c.nx].hv - q[k - c.nx].hv);
  qn[k].hu = q[k].hu - l * 4.9 * (q[k + 1].h * q[k + 1].h - q[k - 1].h * q[k - 1].h);
  qn[k].hv = q[k].hv - l * 4.9 * (q[k + c.nx].h * q[k + c.nx].h - q[k - c.nx].h * q[k - c.nx].h);
}
int main(int argc, char **argv)
{
  Config cfg = default_config();
  if (!parse(argc, argv, &cfg)) { printf("bad arguments\n"); return 1; }
  State *q[2];
  size_t bytes = (size_t)cfg.nx * cfg.ny * sizeof(State);
  for (int i = 0; i < 2; i++) { cudaMalloc((void **)&q[i], bytes); cudaMemset(q[i], 0, bytes); }
  dim3 threads(16, 16, 1);
  dim3 blocks((cfg.nx + 15) / 16, (cfg.ny + 15) / 16, 1);
  int cur = 0;
  for (int it = 0; it < cfg.max_iter; it++) {
    flux<<<blocks, threads>>>(q[cur], q[1 - cur], cfg);
    cur = 1 - cur;
  }
  cudaDeviceSynchronize();
  cudaFree(q[0]); cudaFree(q[1]);
  return 0;
}
