// args: 64 64 64 100
#include <stdio.h>
#include <stdlib.h>
#define Q 19
typedef float real;
typedef struct { real f[Q]; } Cell;
__constant__ int cx[Q] = {0,1,-1,0,0,0,0,1,-1,1,-1,1,-1,1,-1,0,0,0,0};
__constant__ int cy[Q] = {0,0,0,1,-1,0,0,1,1,-1,-1,0,0,0,0,1,-1,1,-1};
__constant__ int cz[Q] = {0,0,0,0,0,1,-1,0,0,0,0,1,1,-1,-1,1,1,-1,-1};
__constant__ real w[Q];
__global__ void collide_stream(const Cell *src, Cell *dst, int nx, int ny, int nz, real omega)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  int idx = (z * ny + y) * nx + x;
  real rho = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
  for (int q = 0; q < Q; q++) {
    real fq = src[idx].f[q];
    rho += fq; ux += fq * cx[q]; uy += fq * cy[q]; uz += fq * cz[q];
  }
  ux /= rho; uy /= rho; uz /= rho;
  real usq = 1.5f * (ux * ux + uy * uy + uz * uz);
#pragma unroll
  for (int q = 0; q < Q; q++) {
    real cu = 3.0f * (cx[q] * ux + cy[q] * uy + cz[q] * uz);
    real feq = w[q] * rho * (1.0f + cu + 0.5f * cu * cu - usq);
    int xn = (x + cx[q] + nx) % nx, yn = (y + cy[q] + ny) % ny, zn = (z + cz[q] + nz) % nz;
    dst[(zn * ny + yn) * nx + xn].f[q] = src[idx].f[q] - omega * (src[idx].f[q] - feq);
  }
}
int main(int argc, char *argv[])
{
  int nx = atoi(argv[1]), ny = atoi(argv[2]), nz = atoi(argv[3]);
  int steps = argc > 4 ? atoi(argv[4]) : 1000;
  size_t bytes = sizeof(Cell) * nx * ny * nz;
  Cell *a, *b;
  cudaMalloc((void **)&a, bytes);
  cudaMalloc((void **)&b, bytes);
  real weights[Q];
  for (int q = 0; q < Q; q++) weights[q] = q == 0 ? 1.0f / 3 : q < 7 ? 1.0f / 18 : 1.0f / 36;
  cudaMemcpyToSymbol(w, weights, sizeof(weights));
  dim3 block(32, 4, 1), grid((nx + 31) / 32, (ny + 3) / 4, nz);
  for (int t = 0; t < steps; t++) {
    collide_stream<<<grid, block>>>(a, b, nx, ny, nz, 1.7f);
    Cell *tmp = a; a = b; b = tmp;
  }
  cudaDeviceSynchronize();
  cudaFree(a); cudaFree(b);
  return 0;
}
