// args: 4096
#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include "helper_mini.h"
namespace cg = cooperative_groups;
#define ROWS_PER_CTA 8

__global__ void jacobi_sync(const float *A, const double *b, double *x, double *x_new, int n, int iterations, double *residual) {
  cg::grid_group grid = cg::this_grid();
  for (int it = 0; it < iterations; ++it) {
    double *from = it & 1 ? x_new : x, *to = it & 1 ? x : x_new;
    for (int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32; row < n; row += gridDim.x * (blockDim.x / 32)) {
      double sum = 0;
      for (int c = threadIdx.x % 32; c < n; c += 32) sum += A[(size_t)row * n + c] * from[c];
      for (int o = 16; o; o >>= 1) sum += __shfl_xor_sync(~0u, sum, o);
      if (threadIdx.x % 32 == 0) {
        double diag = A[(size_t)row * n + row];
        double v = (b[row] - sum + diag * from[row]) / diag;
        to[row] = v;
        if (it == iterations - 1) atomicAdd(residual, fabs(v - from[row]));
      }
    }
    grid.sync();
  }
}

int main(int argc, char **argv) {
  int n = argc == 2 ? atoi(argv[1]) : 512;
  int dev = findCudaDevice(argc, (const char **)argv);
  cudaDeviceProp prop = {};
  checkCudaErrors(cudaGetDeviceProperties(&prop, dev));
  if (!prop.cooperativeLaunch) {
    printf("\nSelected GPU (%d) does not support Cooperative Kernel Launch, Waiving the run\n", dev);
    exit(2);
  }
  float *A;
  double *b, *x, *x_new, *residual;
  checkCudaErrors(cudaMallocManaged(&A, (size_t)n * n * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&b, n * sizeof(double)));
  checkCudaErrors(cudaMallocManaged(&x, n * sizeof(double)));
  checkCudaErrors(cudaMallocManaged(&x_new, n * sizeof(double)));
  checkCudaErrors(cudaMallocManaged(&residual, sizeof(double)));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) A[(size_t)i * n + j] = i == j ? 2.f * n : 1.f;
    b[i] = 1.0;
    x[i] = x_new[i] = 0.0;
  }
  *residual = 0;
  int iterations = 100, threads = 256, blocksPerSm = 0;
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksPerSm, jacobi_sync, threads, 0));
  dim3 grid(prop.multiProcessorCount * blocksPerSm), block(threads);
  void *args[] = {(void *)&A, (void *)&b, (void *)&x, (void *)&x_new, (void *)&n, (void *)&iterations, (void *)&residual};
  checkCudaErrors(cudaLaunchCooperativeKernel((void *)jacobi_sync, grid, block, args, 0, 0));
  checkCudaErrors(cudaDeviceSynchronize());
  printf("%g\n", *residual);
  return 0;
}
