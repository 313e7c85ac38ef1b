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

struct Boid { float2 pos, vel; };

__global__ void flock(const Boid *in, Boid *out, int n, float dt)
{
  __shared__ Boid tile[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float ax = 0, ay = 0;
  for (int t = 0; t < n / 256; t++) {
    tile[threadIdx.x] = in[t * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; k++) { ax += tile[k].pos.x - in[i].pos.x; ay += tile[k].pos.y - in[i].pos.y; }
    __syncthreads();
  }
  out[i].vel.x = in[i].vel.x + dt * ax;
  out[i].vel.y = in[i].vel.y + dt * ay;
  out[i].pos.x = in[i].pos.x + dt * out[i].vel.x;
  out[i].pos.y = in[i].pos.y + dt * out[i].vel.y;
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Boid *in = NULL; Boid *out = NULL;
  CUDA_CHECK(cudaMalloc(&in, sizeof(Boid) * (n)));
  CUDA_CHECK(cudaMalloc(&out, sizeof(Boid) * (n)));
  Boid *host = (Boid *)calloc(n, sizeof(Boid));
  CUDA_CHECK(cudaMemcpy(in, host, sizeof(Boid) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  flock<<<grid, block>>>(in, out, n, 0.01f);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, in, sizeof(Boid) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
