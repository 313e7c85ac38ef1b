// args:
#include <stdio.h>

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

enum { N = 1000000, THREADS = 256 };

int main(void)
{
  int n = N;
  Layer *l; cudaMalloc(&l, (size_t)(24 * n)*sizeof(Layer));
  float *flux; cudaMalloc(&flux, (size_t)(n)*sizeof(float));
  radiate<<<(N+THREADS-1)/THREADS, THREADS>>>(l, flux, 24, n);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
