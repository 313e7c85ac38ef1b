// args:
#include <stdio.h>

struct Entry { int col; float val; };

__global__ void spmv_ell(const Entry *a, const float *x, float *y, int rows, int width)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float s = 0.0f;
    for (int k = 0; k < width; k++) {
      Entry e = a[k * rows + r];
      s += e.val * x[e.col];
    }
    y[r] = s;
  }
}

enum { N = 1000000, THREADS = 256 };

int main(void)
{
  int n = N;
  Entry *a; cudaMalloc(&a, (size_t)(16 * n)*sizeof(Entry));
  float *x; cudaMalloc(&x, (size_t)(n)*sizeof(float));
  float *y; cudaMalloc(&y, (size_t)(n)*sizeof(float));
  spmv_ell<<<(N+THREADS-1)/THREADS, THREADS>>>(a, x, y, n, 16);
  puts("ok");
  return cudaDeviceSynchronize() != cudaSuccess;
}
