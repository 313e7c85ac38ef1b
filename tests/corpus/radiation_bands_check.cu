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

struct Layer { float tau, source; };

__global__ void radiate(const Layer *l, float *flux, int layers, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float f = 0;
  for (int k = 0; k < layers; k++) {
    float e = expf(-l[k * n + i].tau);
    f = f * e + l[k * n + i].source * (1 - e);
  }
  flux[i] = f;
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Layer *l = NULL; float *flux = NULL;
  CUDA_CHECK(cudaMalloc(&l, sizeof(Layer) * (24 * n)));
  CUDA_CHECK(cudaMalloc(&flux, sizeof(float) * (n)));
  Layer *host = (Layer *)calloc(24 * n, sizeof(Layer));
  CUDA_CHECK(cudaMemcpy(l, host, sizeof(Layer) * (24 * n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  radiate<<<grid, block>>>(l, flux, 24, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, l, sizeof(Layer) * (24 * n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(l));
  CUDA_CHECK(cudaFree(flux));
  return 0;
}
