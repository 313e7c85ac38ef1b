// args: 131072
#include <iostream>
#include <string>
#include <vector>

struct Nz { int c; double v; };

__global__ void spmv_warp(const int *ptr, const Nz *nz, const double *x, double *y, int n)
{
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
  if (row >= n) return;
  double s = 0;
  int end = ptr[row + 1];
  for (int k = ptr[row] + lane; k < end; k += 32) s += nz[k].v * x[nz[k].c];
  for (int o = 16; o > 0; o >>= 1) s += __shfl_down_sync(0xffffffffu, s, o);
  if (lane == 0) y[row] = s;
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
  int n = argc > 1 ? std::stoi(argv[1]) : 65536;
  std::vector<int> h_ptr(n + 1);
  int *d_ptr = upload(h_ptr);
  std::vector<Nz> h_nz(32 * n);
  Nz *d_nz = upload(h_nz);
  std::vector<double> h_x(n);
  double *d_x = upload(h_x);
  std::vector<double> h_y(n);
  double *d_y = upload(h_y);
  for (int it = 0; it < 1; ++it)
    spmv_warp<<<(n + 255) / 256, 256>>>(d_ptr, d_nz, d_x, d_y, n / 32);
  cudaDeviceSynchronize();
  cudaFree(d_ptr);
  cudaFree(d_nz);
  cudaFree(d_x);
  cudaFree(d_y);
  std::cout << "ok" << std::endl;
}
