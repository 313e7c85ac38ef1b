// args: 2048
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

struct Contract { double S, K, T, r, v; };

#define STEPS 256
__global__ void binomial(const Contract *c, double *value)
{
  __shared__ double v[STEPS + 1];
  const Contract o = c[blockIdx.x];
  double dt = o.T / STEPS, u = exp(o.v * sqrt(dt)), p = (exp(o.r * dt) - 1 / u) / (u - 1 / u);
  v[threadIdx.x] = fmax(0.0, o.S * pow(u, 2.0 * (int)threadIdx.x - STEPS) - o.K);
  __syncthreads();
  for (int k = STEPS - 1; k > 0; k--) {
    double x = threadIdx.x < k ? p * v[threadIdx.x + 1] + (1 - p) * v[threadIdx.x] : 0.0;
    __syncthreads();
    v[threadIdx.x] = x;
    __syncthreads();
  }
  if (threadIdx.x == 0) value[blockIdx.x] = v[0];
}

int main(int argc, char *argv[])
{
  if (argc < 2) {
    fprintf(stderr, "usage: %s N\n", argv[0]);
    return 1;
  }
  const int n = (int)strtol(argv[1], NULL, 10);
  Contract *c = NULL; double *value = NULL;
  CUDA_CHECK(cudaMalloc(&c, sizeof(Contract) * (n)));
  CUDA_CHECK(cudaMalloc(&value, sizeof(double) * (n)));
  Contract *host = (Contract *)calloc(n, sizeof(Contract));
  CUDA_CHECK(cudaMemcpy(c, host, sizeof(Contract) * (n), cudaMemcpyHostToDevice));
  cudaEvent_t start, stop;
  CUDA_CHECK(cudaEventCreate(&start));
  CUDA_CHECK(cudaEventCreate(&stop));
  dim3 block(256), grid(n);
  CUDA_CHECK(cudaEventRecord(start));
  binomial<<<grid, block>>>(c, value);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaEventRecord(stop));
  CUDA_CHECK(cudaEventSynchronize(stop));
  float ms = 0;
  CUDA_CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%.3f ms\n", ms);
  CUDA_CHECK(cudaMemcpy(host, c, sizeof(Contract) * (n), cudaMemcpyDeviceToHost));
  free(host);
  CUDA_CHECK(cudaFree(c));
  CUDA_CHECK(cudaFree(value));
  return 0;
}
