// args: 1024 768
#include <iostream>
#include <string>
#include <vector>

struct C64 { double re, im; };

__global__ void zgemm(const C64 *a, const C64 *b, C64 *c, int n)
{
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || col >= n) return;
  double re = 0, im = 0;
  for (int k = 0; k < n; k++) {
    re += a[row * n + k].re * b[k * n + col].re - a[row * n + k].im * b[k * n + col].im;
    im += a[row * n + k].re * b[k * n + col].im + a[row * n + k].im * b[k * n + col].re;
  }
  c[row * n + col].re = re;
  c[row * n + col].im = im;
}

template <typename T> T *upload(const std::vector<T> &v)
{
  T *d = nullptr;
  cudaMalloc(&d, v.size() * sizeof(T));
  cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return d;
}

int main(int argc, char **argv)
{
  int w = argc > 1 ? std::stoi(argv[1]) : 512;
  int h = argc > 2 ? std::stoi(argv[2]) : 384;
  std::vector<C64> h_a(w * w);
  C64 *d_a = upload(h_a);
  std::vector<C64> h_b(w * w);
  C64 *d_b = upload(h_b);
  std::vector<C64> h_c(w * w);
  C64 *d_c = upload(h_c);
  for (int it = 0; it < 1; ++it)
    zgemm<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d_a, d_b, d_c, w);
  cudaDeviceSynchronize();
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  std::cout << "ok" << std::endl;
}
