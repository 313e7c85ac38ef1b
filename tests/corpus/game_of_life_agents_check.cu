// args: 640 480
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

struct Agent { int alive; int age; };

__global__ void life(const Agent *a, Agent *b, int w, int h)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int s = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      if (dx || dy) s += a[((y + dy + h) % h) * w + (x + dx + w) % w].alive;
  int i = y * w + x;
  b[i].alive = s == 3 || (s == 2 && a[i].alive);
  b[i].age = b[i].alive ? a[i].age + 1 : 0;
}

int main(int argc, char *argv[])
{
  if (argc < 3) {
    fprintf(stderr, "usage: %s WIDTH HEIGHT\n", argv[0]);
    return 1;
  }
  const int w = atoi(argv[1]), h = atoi(argv[2]);
  Agent *a = NULL; Agent *b = NULL;
  CUDA_CHECK(cudaMalloc(&a, sizeof(Agent) * (w * h)));
  CUDA_CHECK(cudaMalloc(&b, sizeof(Agent) * (w * h)));
  Agent *host = (Agent *)calloc(w * h, sizeof(Agent));
  CUDA_CHECK(cudaMemcpy(a, host, sizeof(Agent) * (w * h), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(16, 16), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
  CUDA_CHECK(cudaEventRecord(start));
  life<<<grid, block>>>(a, b, w, h);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, a, sizeof(Agent) * (w * h), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(a));
  CUDA_CHECK(cudaFree(b));
  return 0;
}
