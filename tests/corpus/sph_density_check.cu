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

struct SphParticle { float3 pos; float3 vel; float density, pressure; };

__global__ void density(SphParticle *ps, int n, float hh)
{
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < 64; ++j) {
    int k = (i + j) % n;
    float dx = ps[k].pos.x - ps[i].pos.x, dy = ps[k].pos.y - ps[i].pos.y, dz = ps[k].pos.z - ps[i].pos.z;
    float d = hh - (dx * dx + dy * dy + dz * dz);
    if (d > 0) sum += d * d * d;
  }
  ps[i].density = sum;
  ps[i].pressure = 1000.0f * (sum - 1.0f);
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  SphParticle *ps = NULL;
  CUDA_CHECK(cudaMalloc(&ps, sizeof(SphParticle) * (n)));
  SphParticle *host = (SphParticle *)calloc(n, sizeof(SphParticle));
  CUDA_CHECK(cudaMemcpy(ps, host, sizeof(SphParticle) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  density<<<grid, block>>>(ps, n, 0.04f);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, ps, sizeof(SphParticle) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(ps));
  return 0;
}
