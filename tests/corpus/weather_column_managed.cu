// args:
#include <cstdio>

struct Column { float t, q, p, w; };

__global__ void adjust(Column *c, int nlev, int ncol)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= ncol) return;
  for (int k = 1; k < nlev; k++) {
    Column *a = &c[k * ncol + col];
    if (a->q > 0.8f) { a->t += 0.1f * (a->q - 0.8f); a->q = 0.8f; }
    a->w += 1e-3f * (a->t - c[(k - 1) * ncol + col].t);
  }
}

int main()
{
  const int n = 1 << 17;
  Column *c;
  cudaMallocManaged(&c, (32 * n) * sizeof(*c));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  adjust<<<blocks, threads>>>(c, 32, n);
  cudaDeviceSynchronize();
  cudaFree(c);
  return 0;
}
