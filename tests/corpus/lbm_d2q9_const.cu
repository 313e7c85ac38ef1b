// args: 1024 512 1000
// D2Q9 lattice Boltzmann, populations as separate planes of one array, velocities and weights in constant memory.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#define NDIR 9
__constant__ int ex[NDIR];
__constant__ int ey[NDIR];
__constant__ float wt[NDIR];
__constant__ int opp[NDIR];
__constant__ int NX, NY;

static const int h_ex[NDIR] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int h_ey[NDIR] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const float h_wt[NDIR] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
static const int h_opp[NDIR] = {0, 3, 4, 1, 2, 7, 8, 5, 6};

__device__ __forceinline__ size_t field_index(unsigned int x, unsigned int y, unsigned int d) {
  return NX * (NY * d + y) + x;
}

__global__ void init_equilibrium(float *f, float u0) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= NX) return;
  for (int i = 0; i < NDIR; i++) {
    float cu = 3.f * ex[i] * u0;
    f[field_index(x, y, i)] = wt[i] * (1.f + cu + 0.5f * cu * cu - 1.5f * u0 * u0);
  }
}

__global__ void stream_collide(const float *__restrict__ f0, float *__restrict__ f1, float *rho_out, float *ux_out,
                               float *uy_out, const unsigned char *solid, float tau_inv, int save) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= NX) return;
  float ft[NDIR], rho = 0.f, ux = 0.f, uy = 0.f;
  for (int i = 0; i < NDIR; i++) {
    int xs = (x - ex[i] + NX) % NX, ys = (y - ey[i] + NY) % NY;
    ft[i] = f0[field_index(xs, ys, i)];
    rho += ft[i];
    ux += ft[i] * ex[i];
    uy += ft[i] * ey[i];
  }
  if (solid[y * NX + x]) {
    for (int i = 0; i < NDIR; i++) f1[field_index(x, y, opp[i])] = ft[i];
    return;
  }
  ux /= rho;
  uy /= rho;
  if (save) {
    rho_out[y * NX + x] = rho;
    ux_out[y * NX + x] = ux;
    uy_out[y * NX + x] = uy;
  }
  float usq = 1.5f * (ux * ux + uy * uy);
  for (int i = 0; i < NDIR; i++) {
    float cu = 3.f * (ex[i] * ux + ey[i] * uy);
    float feq = wt[i] * rho * (1.f + cu + 0.5f * cu * cu - usq);
    f1[field_index(x, y, i)] = ft[i] + tau_inv * (feq - ft[i]);
  }
}

int main(int argc, char *argv[]) {
  if (argc < 4) {
    printf("Usage: %s NX NY STEPS\n", argv[0]);
    exit(1);
  }
  int nx = atoi(argv[1]), ny = atoi(argv[2]), steps = atoi(argv[3]);
  size_t mem = sizeof(float) * nx * ny;
  cudaMemcpyToSymbol(ex, h_ex, sizeof(h_ex));
  cudaMemcpyToSymbol(ey, h_ey, sizeof(h_ey));
  cudaMemcpyToSymbol(wt, h_wt, sizeof(h_wt));
  cudaMemcpyToSymbol(opp, h_opp, sizeof(h_opp));
  cudaMemcpyToSymbol(NX, &nx, sizeof(int));
  cudaMemcpyToSymbol(NY, &ny, sizeof(int));
  unsigned char *solid = (unsigned char *)calloc(nx * ny, 1), *d_solid;
  for (int y = 0; y < ny; y++)
    for (int x = 0; x < nx; x++)
      solid[y * nx + x] = y == 0 || y == ny - 1 || hypotf(x - nx / 5.f, y - ny / 2.f) < ny / 9.f;
  float *f0, *f1, *rho, *ux, *uy;
  cudaMalloc((void **)&f0, mem * NDIR);
  cudaMalloc((void **)&f1, mem * NDIR);
  cudaMalloc((void **)&rho, mem);
  cudaMalloc((void **)&ux, mem);
  cudaMalloc((void **)&uy, mem);
  cudaMalloc((void **)&d_solid, nx * ny);
  cudaMemcpy(d_solid, solid, nx * ny, cudaMemcpyHostToDevice);
  dim3 grid((nx + 127) / 128, ny, 1), threads(128, 1, 1);
  init_equilibrium<<<grid, threads>>>(f0, 0.08f);
  for (int n = 0; n < steps; n++) {
    int save = (n + 1) % 100 == 0;
    stream_collide<<<grid, threads>>>(f0, f1, rho, ux, uy, d_solid, 1.f / 0.56f, save);
    float *temp = f0;
    f0 = f1;
    f1 = temp;
  }
  cudaDeviceSynchronize();
  return 0;
}
