// args:
#include <cstdio>

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

int main()
{
  const int n = 1 << 17;
  Entry *a;
  cudaMallocManaged(&a, (16 * n) * sizeof(*a));
  float *x;
  cudaMallocManaged(&x, (n) * sizeof(*x));
  float *y;
  cudaMallocManaged(&y, (n) * sizeof(*y));
  int threads = 256;
  int blocks = (n + threads - 1) / threads;
  spmv_ell<<<blocks, threads>>>(a, x, y, n, 16);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(x);
  cudaFree(y);
  return 0;
}
