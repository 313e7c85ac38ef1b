// args: 131072
#include <iostream>
#include <string>
#include <vector>

struct Hsv { float h, s, v; };

__global__ void hue_histogram(const Hsv *px, unsigned int *bins, int n)
{
  __shared__ unsigned int local[256];
  if (threadIdx.x < 256) local[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&local[((int)(px[i].h * 255.0f)) & 255], 1u);
  __syncthreads();
  if (threadIdx.x < 256) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
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
  std::vector<Hsv> h_px(n);
  Hsv *d_px = upload(h_px);
  std::vector<unsigned int> h_bins(256);
  unsigned int *d_bins = upload(h_bins);
  for (int it = 0; it < 1; ++it)
    hue_histogram<<<(n + 255) / 256, 256>>>(d_px, d_bins, n);
  cudaDeviceSynchronize();
  cudaFree(d_px);
  cudaFree(d_bins);
  std::cout << "ok" << std::endl;
}
