#include <stdio.h>
#define N 1024
#define STEPS 500
#define IDX(i, j) ((j) * N + (i))
#define LAUNCH(kernel, grid, block, ...) do { kernel<<<grid, block>>>(__VA_ARGS__); cudaGetLastError(); } while (0)
typedef struct { float u, v; } Species;
__global__ void step(const Species *a, Species *b, float f, float k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  int l = IDX((i + N - 1) % N, j), r = IDX((i + 1) % N, j), d = IDX(i, (j + N - 1) % N), u = IDX(i, (j + 1) % N), c = IDX(i, j);
  float lu = a[l].u + a[r].u + a[d].u + a[u].u - 4 * a[c].u;
  float lv = a[l].v + a[r].v + a[d].v + a[u].v - 4 * a[c].v;
  float uvv = a[c].u * a[c].v * a[c].v;
  b[c].u = a[c].u + 0.16f * lu - uvv + f * (1 - a[c].u);
  b[c].v = a[c].v + 0.08f * lv + uvv - (f + k) * a[c].v;
}
int main(void)
{
  Species *a, *b, *t;
  int s;
  cudaMalloc((void **)&a, sizeof(Species) * N * N);
  cudaMalloc((void **)&b, sizeof(Species) * N * N);
  dim3 block(16, 16), grid(N / 16, N / 16);
  for (s = 0; s < STEPS; s++) {
    LAUNCH(step, grid, block, a, b, 0.035f, 0.065f);
    t = a; a = b; b = t;
  }
  cudaDeviceSynchronize();
  return 0;
}
