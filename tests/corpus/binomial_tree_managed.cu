// args:
#include <cstdio>

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

int main()
{
  const int n = 1024;
  Contract *c;
  cudaMallocManaged(&c, (n) * sizeof(*c));
  double *value;
  cudaMallocManaged(&value, (n) * sizeof(*value));
  int threads = 256;
  int blocks = n;
  binomial<<<blocks, threads>>>(c, value);
  cudaDeviceSynchronize();
  cudaFree(c);
  cudaFree(value);
  return 0;
}
