// args: 1024 768
#include <iostream>
#include <string>
#include <vector>

struct Patch { short left, right; };

__global__ void disparity(const Patch *im, short *best, int w, int h, int range)
{
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h || x < range) return;
  int b = 0, score = 1 << 20;
  for (int d = 0; d < range; d++) {
    int s = abs(im[y * w + x].left - im[y * w + x - d].right);
    if (s < score) { score = s; b = d; }
  }
  best[y * w + x] = (short)b;
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
  std::vector<Patch> h_im(w * h);
  Patch *d_im = upload(h_im);
  std::vector<short> h_best(w * h);
  short *d_best = upload(h_best);
  for (int it = 0; it < 1; ++it)
    disparity<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(d_im, d_best, w, h, 16);
  cudaDeviceSynchronize();
  cudaFree(d_im);
  cudaFree(d_best);
  std::cout << "ok" << std::endl;
}
