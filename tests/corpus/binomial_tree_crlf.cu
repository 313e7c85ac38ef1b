// args:
#include <stdio.h>

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

enum { N = 1000, THREADS = 256 };

int main(void)
{
  int n = N;
  Contract *c; cudaMalloc(&c, (size_t)(n)*sizeof(Contract));
  double *value; cudaMalloc(&value, (size_t)(n)*sizeof(double));
  binomial<<<n, THREADS>>>(c, value);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
