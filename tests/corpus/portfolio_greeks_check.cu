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

struct Position { double delta, gamma, vega, theta; long long id; };

__global__ void revalue(Position *book, const double *move, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double m = move[i];
    book[i].delta += book[i].gamma * m;
    book[i].theta -= 0.5 * book[i].gamma * m * m;
  }
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Position *book = NULL; double *move = NULL;
  CUDA_CHECK(cudaMalloc(&book, sizeof(Position) * (n)));
  CUDA_CHECK(cudaMalloc(&move, sizeof(double) * (n)));
  Position *host = (Position *)calloc(n, sizeof(Position));
  CUDA_CHECK(cudaMemcpy(book, host, sizeof(Position) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid((n + 255) / 256);
  CUDA_CHECK(cudaEventRecord(start));
  revalue<<<grid, block>>>(book, move, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, book, sizeof(Position) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(book));
  CUDA_CHECK(cudaFree(move));
  return 0;
}
