// args:
#include <cstdio>

struct Base { char call; unsigned char quality; short pos; };

__global__ void mask_low(Base *b, int n, unsigned char least)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && b[i].quality < least) b[i].call = 'N';
}

int main()
{
  const int n = 1 << 17;
  Base *b;
  cudaMallocManaged(&b, (n) * sizeof(*b));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  mask_low<<<blocks, threads>>>(b, n, 20);
  cudaDeviceSynchronize();
  cudaFree(b);
  return 0;
}
