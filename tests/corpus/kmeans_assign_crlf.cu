// args:
#include <stdio.h>

struct Sample { float f[4]; int label; };
struct Centroid { float f[4]; };

__global__ void assign(Sample *s, const Centroid *c, int n, int k)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = 1e30f;
  int which = 0;
  for (int j = 0; j < k; j++) {
    float d = 0;
    for (int f = 0; f < 4; f++) { float e = s[i].f[f] - c[j].f[f]; d += e * e; }
    if (d < best) { best = d; which = j; }
  }
  s[i].label = which;
}

enum { N = 1000000, THREADS = 256 };

int main(void)
{
  int n = N;
  Sample *s; cudaMalloc(&s, (size_t)(n)*sizeof(Sample));
  Centroid *c; cudaMalloc(&c, (size_t)(16)*sizeof(Centroid));
  assign<<<(N+THREADS-1)/THREADS, THREADS>>>(s, c, n, 16);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
