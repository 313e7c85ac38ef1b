// args: 100000
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                              \
  do {                                                                                \
    cudaError_t err_ = (call);                                                        \
    if (err_ != cudaSuccess) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_));   \
      exit(EXIT_FAILURE);                                                             \
    }                                                                                 \
  } while (0)

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

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Electron *e = NULL; Field *f = NULL;
  CUDA_CHECK(cudaMalloc(&e, sizeof(Electron) * (n)));
  CUDA_CHECK(cudaMalloc(&f, sizeof(Field) * (4096)));
  Electron *host = (Electron *)calloc(n, sizeof(Electron));
  CUDA_CHECK(cudaMemcpy(e, host, sizeof(Electron) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  boris<<<grid, block>>>(e, f, n, 4096, 1.76f, 0.01f);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, e, sizeof(Electron) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(e));
  CUDA_CHECK(cudaFree(f));
  return 0;
}
