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

struct Param { float w, g, m, v; };

__global__ void adam(Param *p, int n, float lr, float b1, float b2, float eps)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].m = b1 * p[i].m + (1 - b1) * p[i].g;
    p[i].v = b2 * p[i].v + (1 - b2) * p[i].g * p[i].g;
    p[i].w -= lr * p[i].m / (sqrtf(p[i].v) + eps);
  }
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Param *p = NULL;
  CUDA_CHECK(cudaMalloc(&p, sizeof(Param) * (n)));
  Param *host = (Param *)calloc(n, sizeof(Param));
  CUDA_CHECK(cudaMemcpy(p, host, sizeof(Param) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  adam<<<grid, block>>>(p, n, 1e-3f, 0.9f, 0.999f, 1e-8f);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, p, sizeof(Param) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(p));
  return 0;
}
