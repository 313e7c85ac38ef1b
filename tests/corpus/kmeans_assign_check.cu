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

struct Sample { float f[4]; int label; };
struct Centroid { float f[4]; };

__global__ void assign(Sample *s, const Centroid *c, int n, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = 1e30f;
  int which = 0;
  for (int j = 0; j < k; j++) {
    float d = 0;
    for (int f = 0; f < 4; f++) { float e = s[i].f[f] - c[j].f[f]; d += e * e; }
    if (d < best) { best = d; which = j; }
  }
  s[i].label = which;
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Sample *s = NULL; Centroid *c = NULL;
  CUDA_CHECK(cudaMalloc(&s, sizeof(Sample) * (n)));
  CUDA_CHECK(cudaMalloc(&c, sizeof(Centroid) * (16)));
  Sample *host = (Sample *)calloc(n, sizeof(Sample));
  CUDA_CHECK(cudaMemcpy(s, host, sizeof(Sample) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  assign<<<grid, block>>>(s, c, n, 16);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, s, sizeof(Sample) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(s));
  CUDA_CHECK(cudaFree(c));
  return 0;
}
