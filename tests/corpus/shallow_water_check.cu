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

struct State { float h, hu, hv; };

__global__ void lax(const State *in, State *out, int nx, int ny, float r)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < 1 || j < 1 || i >= nx - 1 || j >= ny - 1) return;
  int c = j * nx + i;
  out[c].h = 0.25f * (in[c - 1].h + in[c + 1].h + in[c - nx].h + in[c + nx].h) - r * (in[c + 1].hu - in[c - 1].hu);
  out[c].hu = 0.25f * (in[c - 1].hu + in[c + 1].hu + in[c - nx].hu + in[c + nx].hu);
  out[c].hv = 0.25f * (in[c - 1].hv + in[c + 1].hv + in[c - nx].hv + in[c + nx].hv);
}

int main(int argc, char *argv[])
{
  if (argc < 3) {
    fprintf(stderr, "usage: %s WIDTH HEIGHT\n", argv[0]);
    return 1;
  }
  const int w = atoi(argv[1]), h = atoi(argv[2]);
  State *in = NULL; State *out = NULL;
  CUDA_CHECK(cudaMalloc(&in, sizeof(State) * (w * h)));
  CUDA_CHECK(cudaMalloc(&out, sizeof(State) * (w * h)));
  State *host = (State *)calloc(w * h, sizeof(State));
  CUDA_CHECK(cudaMemcpy(in, host, sizeof(State) * (w * h), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(16, 16), grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
  CUDA_CHECK(cudaEventRecord(start));
  lax<<<grid, block>>>(in, out, w, h, 0.1f);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, in, sizeof(State) * (w * h), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
