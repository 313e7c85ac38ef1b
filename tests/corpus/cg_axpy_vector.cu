// args: 131072
#include <iostream>
#include <string>
#include <vector>

struct CgState { double x, r, p, ap; };

__global__ void cg_update(CgState *s, double alpha, double beta, int n)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    s[i].x += alpha * s[i].p;
    s[i].r -= alpha * s[i].ap;
    s[i].p = s[i].r + beta * s[i].p;
  }
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
  std::vector<CgState> h_s(n);
  CgState *d_s = upload(h_s);
  for (int it = 0; it < 30; ++it)
    cg_update<<<(n + 255) / 256, 256>>>(d_s, 0.3, 0.2, n);
  cudaDeviceSynchronize();
  cudaFree(d_s);
  std::cout << "ok" << std::endl;
}
