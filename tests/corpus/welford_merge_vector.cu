// args: 131072
#include <iostream>
#include <string>
#include <vector>

struct Moments { double n, mean, m2; };

__global__ void merge(Moments *m, int half)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) {
    Moments a = m[i], b = m[i + half];
    double d = b.mean - a.mean, n = a.n + b.n;
    m[i].mean = a.mean + d * b.n / n;
    m[i].m2 = a.m2 + b.m2 + d * d * a.n * b.n / n;
    m[i].n = n;
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
  std::vector<Moments> h_m(n);
  Moments *d_m = upload(h_m);
  for (int it = 0; it < 1; ++it)
    merge<<<(n + 255) / 256, 256>>>(d_m, n / 2);
  cudaDeviceSynchronize();
  cudaFree(d_m);
  std::cout << "ok" << std::endl;
}
