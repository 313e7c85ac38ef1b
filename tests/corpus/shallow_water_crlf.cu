// args:
#include <stdio.h>

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

enum { W = 1024, H = 512, BX = 32, BY = 4 };

int main(void)
{
  int w = W, h = H;
  State *in; cudaMalloc(&in, (size_t)(w * h)*sizeof(State));
  State *out; cudaMalloc(&out, (size_t)(w * h)*sizeof(State));
  lax<<<dim3((W+BX-1)/BX, (H+BY-1)/BY), dim3(BX,BY)>>>(in, out, w, h, 0.1f);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
